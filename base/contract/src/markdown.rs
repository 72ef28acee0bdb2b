//! `docs/CONTRACTS.md` as text, from the tables of this crate.

use std::fmt::Write as _;

use crate::{environment, exit, handout, limits, ownership, reports};

/// The whole document.
#[must_use]
pub fn contracts() -> String {
    let mut out = String::from(INTRODUCTION);
    exit_codes(&mut out);
    variables(&mut out);
    handed_out(&mut out);
    limits_table(&mut out);
    owners(&mut out);
    out.push_str(LINES);
    field_reports(&mut out);
    out
}

const INTRODUCTION: &str = "# Contracts

What every command promises. This file is generated from `base/contract` by `cargo xtask contracts`; a test fails
when the two differ.
";

const LINES: &str = "
## Output

Standard output is data or protocol: `--json`, `--diff`, and whatever the started command prints. Everything hubkit says
goes to standard error. Secrets of 16 bytes and more are masked in both.

| line on standard error | when |
|---|---|
| `[Hub MCP] Server registered` | the Hub's entry stands in the host's file, also when nothing had to be written |
| `hubkit: HOST STEP: OUTCOME: FILE[:LINE:COLUMN]: REASON` | once per step; outcomes are `unchanged`, `created`, `changed`, `would change`, `stale`, `skipped`, `refused`, `failed` |
| `hubkit: HOST STEP: wrote: FILE`, `would write: FILE` | a file or folder of hubkit's own beside the configuration changed |
| `hubkit: HOST STEP: note: …` | something a person should know: duplicate keys, a disabled entry, faults outside the entry |

`configure --json` prints one object, `bootstrap --json` prints `{\"version\", \"steps\": […], \"exit\"}` with one such object
per step: `step`, `host`, `status` (`unchanged`, `changed`, `would_change`, `stale`, `skipped`, `refused`, `failed`),
`registered`, `disabled`, `created`, `exit`, and where they apply `file`, `at`, `reason`, `kind`, `secrets` (`literal`, `env`),
`write` (`atomic`, `in_place`), `also` (files and folders of hubkit's own: `path`, `status`), `notices`, `diff`. Fields may be
added; these keep their meaning.

## When the agent starts anyway

| situation | `bootstrap -- COMMAND` | without COMMAND | `--strict` |
|---|---|---|---|
| every step unchanged or changed | starts | 0 | starts |
| `HUB_MCP_ENABLED` is false | starts, step skipped | 0 | starts |
| no Hub credentials in the environment | starts, step skipped | 0 | 78, not started |
| `HUB_URL` is not set, `HUB_MCP_URL` is | starts, step `inference` skipped | 0 | starts |
| the Hub is unreachable, refuses or answers nonsense | starts with what the Hub said before, marked stale | 0 | 3, 4, 6 or 7, not started |
| the Hub has no usable model | starts | 0 | 8, not started |
| the Hub's model has a context that Hermes refuses | starts, said loudly | 78 | 78, not started |
| the host would expand what the Hub hands out, or it is no URL | starts, said loudly | 6 | 6, not started |
| there is no configuration yet, and `--no-create` | starts, steps skipped | 0 | starts |
| no memory server is connected, no plugin folder given | starts, step skipped | 0 | starts |
| a variable cannot be used | starts, said loudly | 78 | 78, not started |
| a file's content was refused | starts, said loudly | 65 | 65, not started |
| a file cannot be written | starts, said loudly | 73 | 73, not started |
| a lock is held, or the file keeps changing | starts, said loudly | 75 | 75, not started |
| hubkit itself fails | starts, said loudly | 70 | 70, not started |
| COMMAND cannot be started | 126 or 127 | | 126 or 127 |

The command replaces the process: its process id, signals and exit status are its own. Its environment is hubkit's, plus
`HUB_MCP_API_KEY` with exactly the key when the variable held something around it, or when the key came from
`HUB_MCP_API_KEY_FILE`, unless the host's file is known to hold the key itself; `CI_SERVER_TOKEN` likewise; and the values of
`.env.hub-bootstrap`. Of these, what the Hub said at this start goes before what the environment holds, which is named; what it
said earlier only fills gaps; so do, all or none, names that hubkit derives (`OPENAI_*` for Hermes). Hermes itself takes its own `.env` before all
of that, which is reported by name. OpenClaw never gets `OPENAI_API_KEY` from the hand-out, also where the environment holds
that key or a placeholder, because with it OpenClaw sends texts of the workspace to api.openai.com; its file refers to
`HUBKIT_INFERENCE_API_KEY` instead.

## How the Hub is asked

Directly, whatever `HTTP_PROXY` says, unless `HUBKIT_HUB_PROXY` names a proxy: the Hub knows an app by its address. Redirects are
followed within the Hub's origin alone. A refusal of the address (403) is tried again only while nothing is known from before,
since the Hub remembers for a quarter of a minute which addresses are its containers'. Plain http is said once per start.

## How the key is written

| host | without `--secrets` |
|---|---|
| Hermes | the key itself where only the owner and the group can read the file, else `Bearer ${HUB_MCP_API_KEY}` |
| OpenClaw | `Bearer ${HUB_MCP_API_KEY}` |

What stands in the file already is kept when it gives the agent this very key: a literal where not everybody can read the
file, a reference where the agent's environment will hold exactly the key. A reference that would not resolve is an error
(78) that says what to do.
";

fn heading(out: &mut String, title: &str, columns: &[&str]) {
    let _ = write!(out, "\n## {title}\n\n| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
}

fn exit_codes(out: &mut String) {
    heading(out, "Exit codes", &["code", "name", "meaning"]);
    for row in exit::TABLE {
        let _ = writeln!(out, "| {} | {} | {} |", row.code, row.name, row.meaning);
    }
}

fn variables(out: &mut String) {
    heading(out, "Environment", &["variable", "purpose", "accepted"]);
    for row in environment::TABLE {
        let file =
            if row.secret { format!(", `{}`", environment::file_form(row.name)) } else { String::new() };
        let _ = writeln!(out, "| `{}`{file} | {} | {} |", row.name, row.purpose, row.accepted);
    }
    out.push_str(
        "
White space around a value and one pair of matching quotes are taken off and noted on standard error; a blank value counts
as unset. Control and zero-width characters, and in keys and URLs everything outside visible ASCII, make a variable unusable:
a step that needs it is refused (78) with the variable's name, the kind of character and its position; a value is never
printed. A secret and its `*_FILE` form may
both be set if they agree. `HUB_API_KEY` is never read.

The file that is edited is the one the host itself would read: Hermes `HERMES_HOME`, else `~/.hermes`, there `config.yaml`;
OpenClaw `OPENCLAW_CONFIG_PATH`, else `OPENCLAW_STATE_DIR`, else `~/.openclaw` (home: `OPENCLAW_HOME`, `HOME`, `USERPROFILE`),
there `openclaw.json`; the legacy `~/.clawdbot` and `clawdbot.json` where only they exist. `--config` names another: a Hermes profile has a file of its own, and where `active_profile` makes one the
standing profile, that is said.
",
    );
}

fn handed_out(out: &mut String) {
    heading(out, "Names that the Hub's inference hand-out may set", &["variable", "app", "what it holds"]);
    let [first, second] = handout::App::ALL;
    let is_same = |name| {
        handout::is_listed(second, name) && handout::purpose(first, name) == handout::purpose(second, name)
    };
    for name in handout::names(first) {
        let apps = if is_same(name) { "both" } else { first.slug() };
        handed_out_row(out, name, apps, handout::purpose(first, name));
    }
    for name in handout::names(second).filter(|name| !(handout::is_listed(first, name) && is_same(name))) {
        handed_out_row(out, name, second.slug(), handout::purpose(second, name));
    }
    out.push_str(
        "
The list is closed: any other name in an answer is not taken and named in the report. So is a value that is neither text nor
a number, or holds control or zero-width characters.
",
    );
}

fn handed_out_row(out: &mut String, name: &str, apps: &str, purpose: &str) {
    let masked = if handout::is_secret(name) { "; masked in all output" } else { "" };
    let _ = writeln!(out, "| `{name}` | {apps} | {purpose}{masked} |");
}

fn limits_table(out: &mut String) {
    heading(out, "Limits", &["what", "limit", "past it"]);
    for row in limits::TABLE {
        let _ = writeln!(out, "| {} | {} {} | {} |", row.what, row.value, row.unit, row.past);
    }
}

fn owners(out: &mut String) {
    heading(out, "Who owns what", &["host", "file", "keys", "owner and rule"]);
    for row in ownership::TABLE {
        let _ = writeln!(out, "| {} | {} | {} | {} |", row.host, row.file, row.keys, row.rule);
    }
}

fn field_reports(out: &mut String) {
    heading(out, "Field reports", &["report", "property", "held by, or why not"]);
    for row in reports::TABLE {
        let held = match row.held {
            reports::Held::Test { file, name } => format!("`{file}`: `{name}`"),
            reports::Held::NotYet(why) => format!("not held: {why}"),
        };
        let _ = writeln!(out, "| {} | {} | {held} |", row.report, row.property);
    }
}
