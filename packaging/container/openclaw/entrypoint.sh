#!/bin/sh
#
# Wires OpenClaw to its Hub, then becomes the command.
#
# Before OpenClaw's own onboarding there is no openclaw.json, and hubkit makes none: OpenClaw takes whoever has
# one for set up, and would leave out what only a first start does. The first start after onboarding wires it.
set -eu

set -- hubkit bootstrap openclaw --no-create -- "$@"
[ "$(id -u)" = 0 ] || exec "$@"

# Started as root, for a mount that belongs to root. The directory is handed over, nothing in it is looked at,
# and all the rest happens as the image's user, node.
export HOME="${OPENCLAW_HOME:-/home/node}"
state=${OPENCLAW_STATE_DIR:-$HOME/.openclaw}
mkdir -p -- "$state"
chown --no-dereference 1000:1000 "$state"
exec setpriv --reuid=1000 --regid=1000 --clear-groups -- "$@"
