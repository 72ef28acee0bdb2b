// Reads JSON5 documents with npm's json5, and with JSON.parse, and says what they hold.
//
// The directory that json5 is installed in is the one argument. Requests and answers are those of
// oracle.py, with the readers "json5" and "json", and with ["number", TEXT] for every number: TEXT is
// what JavaScript prints, but for "-0". Keys that look like array indices come first and in their own
// order, because that is how JavaScript keeps them; the last duplicate wins.

import { createRequire } from "node:module";
import { join } from "node:path";

const JSON5 = createRequire(join(process.argv[2], "package.json"))("json5");

function tokens(root) {
  const found = [];
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value === null) {
      found.push(["null"]);
    } else if (typeof value === "boolean") {
      found.push(["bool", value]);
    } else if (typeof value === "number") {
      found.push(["number", Object.is(value, -0) ? "-0" : String(value)]);
    } else if (typeof value === "string") {
      found.push(value.isWellFormed() ? ["str", value] : ["other", "a string with half a surrogate pair"]);
    } else if (Array.isArray(value)) {
      found.push(["list", value.length]);
      for (let at = value.length - 1; at >= 0; at -= 1) waiting.push(value[at]);
    } else {
      const entries = Object.entries(value);
      found.push(["map", entries.length]);
      for (let at = entries.length - 1; at >= 0; at -= 1) waiting.push(entries[at][1], entries[at][0]);
    }
  }
  return found;
}

function answer(reader, bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { error: "not UTF-8" };
  }
  try {
    return { value: tokens(reader === "json5" ? JSON5.parse(text) : JSON.parse(text)) };
  } catch (error) {
    // A message may quote half of a surrogate pair.
    return { error: `${error.name}: ${error.message}`.toWellFormed() };
  }
}

let buffered = Buffer.alloc(0);
let request = null;

process.stdin.on("data", (chunk) => {
  buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
  for (;;) {
    if (request === null) {
      const end = buffered.indexOf(10);
      if (end < 0) return;
      request = JSON.parse(buffered.subarray(0, end).toString("utf8"));
      buffered = buffered.subarray(end + 1);
    }
    if (buffered.length < request.bytes) return;
    const reply = answer(request.reader, buffered.subarray(0, request.bytes));
    buffered = buffered.subarray(request.bytes);
    process.stdout.write(`${JSON.stringify({ id: request.id, ...reply })}\n`);
    request = null;
  }
});
