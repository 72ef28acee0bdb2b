#!/bin/sh
# OpenClaw: the memory plugin, where a folder is given, and the memory server. Only OpenClaw's own onboarding makes its file.
case "${HUBKIT_PLUGIN_DIR:+ --plugin} $* " in *" --plugin"[\ =]*) steps=plugin,memory ;; *) steps=memory ;; esac; exec "${HUBKIT:-hubkit}" bootstrap openclaw --no-create --steps "$steps" "$@"
