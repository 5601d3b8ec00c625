#!/usr/bin/env bash
# Packs a release: for each system an archive with both programs, their manual pages and completions, the documents that belong to
# them and THIRD_PARTY_NOTICES with the licences of all that is linked in; for Linux a .deb and a .rpm as well; a bill of materials
# (CycloneDX), and the sums of all. The same commit gives the same bytes, whatever the machine's clock, folder, umask and zone.
# Usage: scripts/release.sh VERSION FOLDER
set -euo pipefail
version=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/.."
systems=${SYSTEMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
documents="LICENSE NOTICE THIRD_PARTY_NOTICES README.md SECURITY.md CHANGELOG.md config.yaml docs deploy jobs"
nfpm="go run github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4"

umask 022
export LC_ALL=C TZ=UTC CGO_ENABLED=0
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build SYSTEM FOLDER: both programs. Nothing of git is written into them but the version, so that a copy without git gives the same.
build() {
  GOOS=${1%/*} GOARCH=${1#*/} go build -trimpath -buildvcs=false -ldflags "-s -w -X dossier/internal/command.Version=$version" \
    -o "$2/" ./cmd/indexer ./cmd/query
}

# help_files PROGRAMS FOLDER: what the programs say of themselves, for man and for three shells.
help_files() {
  mkdir -p "$2/completions"
  for program in indexer query; do
    "$1/$program" man-pages "$2/man"
    "$1/$program" completion bash > "$2/completions/$program.bash"
    "$1/$program" completion zsh > "$2/completions/_$program"
    "$1/$program" completion fish > "$2/completions/$program.fish"
  done
}

# archive NAME: packs the folder of that name in $work.
archive() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$work" -cf - "$1" |
    gzip -9 -n > "$out/$1.tar.gz"
}

# package_version: Debian's and RPM's begin with a digit. What has no tag yet comes before all that has one; what is between two tags
# ("v1.2.3-4-gabc") comes after the first.
package_version() {
  case ${version#v} in
    [0-9]*.[0-9]*.[0-9]*) sed -E 's/-([0-9]+)-g([0-9a-f]+)/+\1.g\2/; s/-dirty$/.dirty/' <<< "${version#v}" ;;
    *) echo "0.0.0+g${version//-/.}" ;;
  esac
}

# packages ARCHITECTURE FOLDER: a .deb and a .rpm of an archive's folder.
packages() {
  local root=$work/root from=$2
  rm -rf "$root"
  mkdir -p "$root"/{bin,units,man,completions,doc,jobs}
  cp "$from"/{indexer,query} "$root/bin/"
  sed 's,/usr/local/bin/,/usr/bin/,' "$from/deploy/dossier-daemon.service" > "$root/units/dossier-daemon.service"
  sed 's,/usr/local/bin/,/usr/bin/,' "$from/deploy/indexer.service" > "$root/units/indexer.service"
  sed 's,/usr/local/bin/,/usr/bin/,' "$from/deploy/dossier-page.service" > "$root/units/dossier-page.service"
  cp "$from/deploy/indexer.timer" "$root/units/"
  cp "$from"/man/*.1 "$root/man/" && gzip -9 -n "$root"/man/*.1
  cp "$from"/completions/* "$root/completions/"
  cp "$from/jobs"/*.yaml "$root/jobs/"
  cp -R "$from"/{NOTICE,README.md,SECURITY.md,docs} "$root/doc/"
  gzip -9 -n < "$from/CHANGELOG.md" > "$root/doc/changelog.gz"
  gzip -9 -n < "$from/THIRD_PARTY_NOTICES" > "$root/doc/THIRD_PARTY_NOTICES.gz"
  cp "$from"/{LICENSE,config.yaml} "$root/"
  cp deploy/package/* deploy/dossier.sysusers "$root/"
  find "$root" -type f -exec chmod u=rwX,go=rX {} + && find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  for format in deb rpm; do
    (cd "$root" && VERSION=$(package_version) ARCH=$1 MAINTAINER=${MAINTAINER:-Dossier <maintainer@dossier.invalid>} \
      $nfpm package --config nfpm.yaml --packager $format --target "$out/dossier-$version-linux-$1.$format")
  done
}

go test -count=1 -run TestThirdPartyNotices . > /dev/null || { echo "THIRD_PARTY_NOTICES is stale: run make notices"; exit 1; }
build "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" "$work/host"
help_files "$work/host" "$work/help"
for system in $systems; do
  name=dossier-$version-${system/\//-}
  build "$system" "$work/$name"
  cp -R $documents "$work/help/man" "$work/help/completions" "$work/$name/"
  archive "$name"
  [ "${system%/*}" != linux ] || packages "${system#*/}" "$work/$name"
  rm -rf "${work:?}/$name"
done
sbom=$(go build -C scripts/sbom -o "$work/" github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod && echo "$work/cyclonedx-gomod")
"$sbom" mod -json -std -noserial -notimestamp -output "$out/dossier-$version.cdx.json" . 
(cd "$out" && sha256sum dossier-"$version"[-.]*[!6] > "dossier-$version.sha256")
cat "$out/dossier-$version.sha256"
