"""Reads YAML documents with PyYAML and ruamel.yaml and says what they hold.

One process for many documents. A request on standard input is one line of JSON,
{"id": N, "reader": "pyyaml-c" | "pyyaml" | "ruamel", "bytes": LENGTH}, and LENGTH bytes. The answer is
one line: {"id": N, "value": TOKENS} or {"id": N, "error": TEXT}.

TOKENS is the value in preorder, flat, so that its depth does not matter to a reader of JSON: ["null"],
["bool", true], ["int", "12"], ["float", "1.5"], ["str", "x"], ["date", ISO], ["list", COUNT] and its
members, ["map", COUNT] and its keys and values, ["other", DESCRIPTION]. Duplicate keys: the last wins.
"""

import datetime
import json
import sys

import yaml
from ruamel.yaml import YAML

TOKENS_AT_MOST = 2_000_000

sys.setrecursionlimit(2_500)


def tokens(value):
    found = []
    open_containers = set()

    def add(value):
        if len(found) >= TOKENS_AT_MOST:
            raise ValueError("the document unfolds to too many values")
        if value is None:
            found.append(["null"])
        elif isinstance(value, bool):
            found.append(["bool", value])
        elif isinstance(value, int):
            found.append(["int", str(value)])
        elif isinstance(value, float):
            found.append(["float", repr(value)])
        elif isinstance(value, str):
            try:
                value.encode("utf-8")
                found.append(["str", value])
            except UnicodeEncodeError:
                found.append(["other", "a string with half a surrogate pair"])
        elif isinstance(value, (datetime.date, datetime.datetime)):
            found.append(["date", value.isoformat()])
        elif isinstance(value, (list, dict)):
            if id(value) in open_containers:
                raise ValueError("the document contains itself")
            open_containers.add(id(value))
            found.append(["list" if isinstance(value, list) else "map", len(value)])
            if isinstance(value, list):
                for member in value:
                    add(member)
            else:
                for key, member in value.items():
                    add(key)
                    add(member)
            open_containers.discard(id(value))
        elif isinstance(value, tuple):
            found.append(["other", "a tuple"])
        else:
            found.append(["other", type(value).__name__])

    add(value)
    return found


def ruamel(text):
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 1)
    reader.allow_duplicate_keys = True
    # By itself ruamel.yaml keeps the first of duplicate keys, which no host does.
    reader.constructor.check_mapping_key = lambda *_: True
    return reader.load(text)


READERS = {
    "pyyaml-c": lambda text: yaml.load(text, Loader=yaml.CSafeLoader),
    "pyyaml": lambda text: yaml.load(text, Loader=yaml.SafeLoader),
    "ruamel": ruamel,
}


def answer(reader, document):
    # Only what the libraries say about the document is an answer; anything else ends the process.
    try:
        return {"value": tokens(READERS[reader](document.decode("utf-8")))}
    except UnicodeDecodeError as error:
        return {"error": f"not UTF-8 at byte {error.start}"}
    except RecursionError:
        return {"error": "nested too deeply"}
    except Exception as error:  # PyYAML also lets ValueError, TypeError and others out.
        # A message may quote half of a surrogate pair.
        text = f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode("utf-8")
        return {"error": text}


def main():
    requests = sys.stdin.buffer
    while line := requests.readline():
        request = json.loads(line)
        document = requests.read(request["bytes"])
        reply = answer(request["reader"], document)
        reply["id"] = request["id"]
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


main()
