#!/bin/sh
# The model that the Hub hands out. HUBKIT_HOST names the host; without it HERMES_HOME tells Hermes from OpenClaw, whose file only its own onboarding makes.
host=${HUBKIT_HOST:-${HERMES_HOME:+hermes}}; [ "$host" = hermes ] || set -- --no-create "$@"; exec "${HUBKIT:-hubkit}" bootstrap "${host:-openclaw}" --steps inference "$@"
