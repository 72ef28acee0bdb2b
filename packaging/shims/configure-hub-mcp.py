#!/usr/bin/env python3
# Hermes: the Hub's MCP entry.
import os, sys; os.execvp("sh", ["sh", "-c", 'exec "${HUBKIT:-hubkit}" bootstrap hermes --steps hub-mcp "$@"', "hubkit", *sys.argv[1:]])
