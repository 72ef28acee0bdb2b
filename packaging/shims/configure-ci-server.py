#!/usr/bin/env python3
# Hermes: the memory server.
import os, sys; os.execvp("sh", ["sh", "-c", 'exec "${HUBKIT:-hubkit}" bootstrap hermes --steps memory "$@"', "hubkit", *sys.argv[1:]])
