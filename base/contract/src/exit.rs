//! Exit codes, one meaning each, the same for every command. The range 64-78 follows `sysexits.h`.

/// Done, or nothing to do.
pub const DONE: u8 = 0;
/// The verdict is no: a required check failed, or `--check` found that a change would be made.
pub const VERDICT_NO: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// The Hub refused our credential.
pub const CREDENTIAL_REFUSED: u8 = 3;
/// The Hub is unreachable.
pub const UNREACHABLE: u8 = 4;
/// A tool answered with an error.
pub const TOOL_ERROR: u8 = 5;
/// The answer breaks the protocol.
pub const PROTOCOL: u8 = 6;
/// It took too long.
pub const TIMEOUT: u8 = 7;
/// There is nothing there (zero tools).
pub const NOTHING_THERE: u8 = 8;
/// A file's content was refused; its bytes are untouched.
pub const CONTENT_REFUSED: u8 = 65;
/// A bug in hubkit.
pub const BUG: u8 = 70;
/// Cannot write: read-only, permission, no space, not a regular file, another owner.
pub const CANNOT_WRITE: u8 = 73;
/// Try again later: a lock is held or the file kept changing.
pub const TRY_AGAIN: u8 = 75;
/// The environment or configuration is wrong.
pub const CONFIG: u8 = 78;
/// `bootstrap -- CMD`: CMD was found but could not be executed (as `env` and shells answer).
pub const CANNOT_EXECUTE: u8 = 126;
/// `bootstrap -- CMD`: CMD was not found (as `env` and shells answer).
pub const NOT_FOUND: u8 = 127;

/// One row of the documented table.
pub struct Row {
    /// The code.
    pub code: u8,
    /// Its constant's name in lower case with dashes.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// All codes in ascending order.
pub const TABLE: &[Row] = &[
    Row { code: DONE, name: "done", meaning: "done, or nothing to do" },
    Row {
        code: VERDICT_NO,
        name: "verdict-no",
        meaning: "the verdict is no: a required check failed; `--check`: a change would be made",
    },
    Row { code: USAGE, name: "usage", meaning: "the command line is wrong" },
    Row { code: CREDENTIAL_REFUSED, name: "credential-refused", meaning: "the Hub refused our credential" },
    Row { code: UNREACHABLE, name: "unreachable", meaning: "the Hub is unreachable" },
    Row { code: TOOL_ERROR, name: "tool-error", meaning: "a tool answered with an error" },
    Row { code: PROTOCOL, name: "protocol", meaning: "the answer breaks the protocol" },
    Row { code: TIMEOUT, name: "timeout", meaning: "it took too long" },
    Row { code: NOTHING_THERE, name: "nothing-there", meaning: "there is nothing there (zero tools)" },
    Row {
        code: CONTENT_REFUSED,
        name: "content-refused",
        meaning: "a file's content was refused; its bytes are untouched",
    },
    Row { code: BUG, name: "bug", meaning: "a bug in hubkit" },
    Row {
        code: CANNOT_WRITE,
        name: "cannot-write",
        meaning: "cannot write: read-only, permission, no space, not a regular file, another owner",
    },
    Row {
        code: TRY_AGAIN,
        name: "try-again",
        meaning: "try again later: a lock is held, or the file kept changing",
    },
    Row { code: CONFIG, name: "config", meaning: "the environment or configuration is wrong" },
    Row {
        code: CANNOT_EXECUTE,
        name: "cannot-execute",
        meaning: "`bootstrap -- CMD`: CMD could not be executed",
    },
    Row { code: NOT_FOUND, name: "not-found", meaning: "`bootstrap -- CMD`: CMD was not found" },
];
