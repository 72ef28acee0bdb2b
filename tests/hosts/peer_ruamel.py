"""The same with ruamel.yaml's round trip, which keeps most comments and rewrites the layout."""

import os
import sys

from ruamel.yaml import YAML

path = sys.argv[1]
editor = YAML()
editor.preserve_quotes = True
with open(path, encoding="utf-8") as source:
    config = editor.load(source) or {}

config.setdefault("mcp_servers", {})["hub"] = {
    "url": os.environ["HUB_MCP_URL"],
    "headers": {"Authorization": "Bearer " + os.environ["HUB_MCP_API_KEY"]},
    "timeout": 180,
    "connect_timeout": 60,
}

with open(path, "w", encoding="utf-8") as target:
    editor.dump(config, target)
