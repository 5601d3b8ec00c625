#!/bin/sh
# Stops the services before their programs go; an upgrade leaves them as they are. Debian says "remove", RPM 0.
set -e
if [ -d /run/systemd/system ] && { [ "$1" = remove ] || [ "$1" = 0 ]; }; then
  systemctl disable --now dossier-daemon.service dossier-page.service indexer.timer indexer.service
fi
