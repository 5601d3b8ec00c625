#!/bin/sh
# Makes the user, and has systemd read the units. Nothing is started: there are no questions yet.
set -e
if command -v systemd-sysusers > /dev/null; then
  systemd-sysusers dossier.conf
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
