#!/usr/bin/env bash
# Packs a release for each system: both programs, the documents that belong to them, THIRD_PARTY_NOTICES with the licences of all
# that is linked in, and the sums. The same commit gives the same bytes.
# Usage: scripts/release.sh VERSION FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
out=$2
systems=${SYSTEMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64}
documents="LICENSE NOTICE THIRD_PARTY_NOTICES README.md SECURITY.md CHANGELOG.md config.yaml docs deploy"

go test -count=1 -run TestThirdPartyNotices . > /dev/null || { echo "THIRD_PARTY_NOTICES is stale: run make notices"; exit 1; }
when=$(git log -1 --format=%ct)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for system in $systems; do
  name=dossier-$version-${system/\//-}
  mkdir "$work/$name"
  CGO_ENABLED=0 GOOS=${system%/*} GOARCH=${system#*/} go build -trimpath \
    -ldflags "-s -w -X dossier/internal/command.Version=$version" -o "$work/$name/" ./cmd/indexer ./cmd/query
  cp -R $documents "$work/$name/"
  tar --sort=name --mtime="@$when" --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$name" | gzip -9 -n > "$out/$name.tar.gz"
  rm -rf "${work:?}/$name"
done
(cd "$out" && sha256sum dossier-"$version"-*.tar.gz > "dossier-$version.sha256")
cat "$out/dossier-$version.sha256"
