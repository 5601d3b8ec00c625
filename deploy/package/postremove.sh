#!/bin/sh
# The store in /var/lib/dossier and its user stay: what a board has gathered is not the package's to delete.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
