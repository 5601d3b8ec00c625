#!/usr/bin/env bash
# Builds the container image from the programs that `make build` made, with podman, buildah or docker, whichever is there, and has it
# answer from the invented sample where the engine can run it: as nobody, on a read-only root, without a network. Without an engine
# it says so and skips.
# Usage: scripts/image.sh BIN_FOLDER [TAG]
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$1
tag=${2:-dossier}
engine=
for name in podman buildah docker; do
  "$name" info > /dev/null 2>&1 && { engine=$name; break; }
done
if [ -z "$engine" ]; then
  echo "skipped: neither podman nor buildah nor docker works here"
  exit 0
fi
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
[ -r "$certificates" ] || { echo "no certificates at $certificates; name the file in SSL_CERT_FILE" >&2; exit 1; }
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/certificates" "$stage/data"
cp "$bin/indexer" "$bin/query" LICENSE NOTICE THIRD_PARTY_NOTICES "$stage/"
cp "$certificates" "$stage/certificates/ca-certificates.crt"
"$engine" build -q -f deploy/Containerfile -t "$tag" "$stage"

# A sandbox that may not raise limits, or has old control groups, runs containers with runc only.
run=()
for options in "" "--runtime runc --ulimit nofile=1024:1024 --ulimit nproc=1000:1000"; do
  read -ra try <<< "run --rm --read-only --tmpfs /tmp --network none $options"
  if [ "$engine" != buildah ] && "$engine" "${try[@]}" "$tag" --version 2> "$stage/why"; then
    run=("$engine" "${try[@]}")
    break
  fi
done
if [ ${#run[@]} = 0 ]; then
  cat "$stage/why" 2> /dev/null || true
  echo "built as $tag, and not run: $engine can run no container here"
  exit 0
fi
volume=dossier-image-$$
trap '"$engine" volume rm -f "$volume" > /dev/null; rm -rf "$stage"' EXIT
run+=(-v "$PWD/sample:/sample:ro" -v "$PWD/jobs:/jobs:ro" -v "$volume:/data")
"${run[@]}" "$tag" import-pubmed --offline --data /data /sample/pubmed.xml
"${run[@]}" "$tag" run --offline --data /data --jobs /jobs/demo.yaml
"${run[@]}" --entrypoint /query "$tag" --offline --data /data topics
echo "built as $tag, and run"
