#!/bin/sh
# OpenClaw: the Hub's plugin, where a folder is given, and its MCP entry. Only OpenClaw's own onboarding makes its file.
exec "${HUBKIT:-hubkit}" bootstrap openclaw --no-create --steps plugin,hub-mcp "$@"
