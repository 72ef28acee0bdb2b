//! OpenClaw's own onboarding without anybody who answers, and what became of the file that it wrote.

#![expect(clippy::panic, reason = "a file in which more has changed must fail the test that asked")]

use serde_json::Value as Json;

/// Everything that needs nobody and no network. `openclaw` takes these arguments.
pub const ARGUMENTS: [&str; 20] = [
    "onboard",
    "--non-interactive",
    "--accept-risk",
    "--mode",
    "local",
    "--auth-choice",
    "skip",
    "--skip-daemon",
    "--skip-health",
    "--skip-channels",
    "--skip-skills",
    "--skip-search",
    "--skip-hooks",
    "--skip-ui",
    "--gateway-bind",
    "loopback",
    "--gateway-auth",
    "token",
    "--suppress-gateway-token-output",
    "--json",
];

/// Where something stands in `after` that is not in `before`, as the paths to the outermost of it, sorted. Both are
/// JSON as OpenClaw writes it.
///
/// # Panics
/// When a line of `before` is gone or out of order, or changed by more than a comma at its end, and when a value is
/// another one.
#[must_use]
pub fn additions(before: &str, after: &str) -> Vec<String> {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.strip_suffix(',').unwrap_or(line).to_owned()).collect()
    };
    let mut left = lines(after).into_iter();
    for line in lines(before) {
        assert!(left.any(|other| other == line), "the line {line:?} is gone from\n{after}");
    }
    let parsed = |text: &str| -> Json {
        serde_json::from_str(text).unwrap_or_else(|error| panic!("no JSON ({error}): {text}"))
    };
    let mut found = Vec::new();
    compare("", &parsed(before), &parsed(after), &mut found);
    found.sort();
    found
}

fn compare(path: &str, before: &Json, after: &Json, found: &mut Vec<String>) {
    let (Json::Object(old), Json::Object(new)) = (before, after) else {
        assert_eq!(before, after, "`{path}` is another value");
        return;
    };
    let inside = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    for (key, value) in old {
        compare(&inside(key), value, new.get(key).unwrap_or(&Json::Null), found);
    }
    found.extend(new.keys().filter(|key| !old.contains_key(*key)).map(|key| inside(key)));
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    const BEFORE: &str = "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n";

    #[test]
    fn what_came_is_named_by_its_outermost_path() {
        let after =
            "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": {\n      \"d\": 2\n    }\n  },\n  \"e\": 3\n}\n";
        assert_eq!(additions(BEFORE, after), ["a.c", "e"]);
        assert_eq!(additions(BEFORE, BEFORE), [""; 0]);
    }

    #[test]
    fn what_went_or_changed_is_a_failure() {
        for after in ["{\n  \"a\": {\n    \"b\": 2\n  }\n}\n", "{\n  \"a\": {\n  }\n}\n", "{\"a\":{\"b\":1}}"]
        {
            assert!(catch_unwind(|| additions(BEFORE, after)).is_err(), "{after}");
        }
    }
}
