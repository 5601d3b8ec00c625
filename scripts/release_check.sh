#!/usr/bin/env bash
# Makes a release twice, from two copies of the commit in different folders, with another umask, time zone and language and a compiler's
# cache of its own, and compares every byte. SYSTEMS=linux/amd64 checks one system; SECOND_GOCACHE names a cache to share.
# Usage: scripts/release_check.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
[ -z "$(git status --porcelain)" ] || echo "note: what is not committed is not part of what is compared"
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
git clone -q . "$work/one"
git clone -q . "$work/another folder"
(umask 022 && cd "$work/one" && scripts/release.sh "$version" "$work/first" > /dev/null)
(umask 077 && cd "$work/another folder" && TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 GOCACHE=${SECOND_GOCACHE:-$work/cache} \
  scripts/release.sh "$version" "$work/second" > /dev/null)
diff -rq "$work/first" "$work/second" || { echo "two builds of one commit differ"; exit 1; }
(cd "$work/first" && sha256sum --quiet -c "dossier-$version.sha256")
echo "$(find "$work/first" -type f | wc -l) files are the same in both builds"
