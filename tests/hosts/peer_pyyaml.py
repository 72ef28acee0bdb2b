"""What a short script of the kind that hubkit replaces does: load, set, dump. Loses all comments."""

import os
import sys

import yaml

path = sys.argv[1]
with open(path, encoding="utf-8") as source:
    config = yaml.safe_load(source) or {}

config.setdefault("mcp_servers", {})["hub"] = {
    "url": os.environ["HUB_MCP_URL"],
    "headers": {"Authorization": "Bearer " + os.environ["HUB_MCP_API_KEY"]},
    "timeout": 180,
    "connect_timeout": 60,
}

with open(path, "w", encoding="utf-8") as target:
    yaml.safe_dump(config, target, sort_keys=False)
