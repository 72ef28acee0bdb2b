#!/bin/sh
# Hermes: its plugin, the memory server and the Hub's MCP entry.
exec "${HUBKIT:-hubkit}" bootstrap hermes --steps plugin,memory,hub-mcp "$@"
