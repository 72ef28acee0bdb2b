//! Whether a user has credentials of another provider, so that a configuration with `provider: auto` is in use.
//! Looks for names alone; a value is compared with what is the Hub's and goes nowhere.

use std::path::Path;

use super::dotenv::bindings;
use crate::hosts::small_file::{self, Unread};

/// Hermes's own environment file, in its home. It goes over the environment.
const ENV_FILE: &str = ".env";

/// Where Hermes keeps logins, in its home.
const LOGINS: &str = "auth.json";

/// Largest environment file that is looked into, bytes.
const BYTES: usize = 1024 * 1024;

/// Variables by which `provider: auto` finds a provider (Hermes 0.19.0).
const CREDENTIALS: [&str; 36] = [
    "OPENROUTER_API_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "ALIBABA_CODING_PLAN_API_KEY",
    "ARCEEAI_API_KEY",
    "AZURE_FOUNDRY_API_KEY",
    "DASHSCOPE_API_KEY",
    "DEEPINFRA_API_KEY",
    "DEEPSEEK_API_KEY",
    "FIREWORKS_API_KEY",
    "GLM_API_KEY",
    "GMI_API_KEY",
    "HF_TOKEN",
    "KILOCODE_API_KEY",
    "KIMI_API_KEY",
    "KIMI_CN_API_KEY",
    "KIMI_CODING_API_KEY",
    "MINIMAX_API_KEY",
    "MINIMAX_CN_API_KEY",
    "NOUS_API_KEY",
    "NOVITA_API_KEY",
    "NVIDIA_API_KEY",
    "OLLAMA_API_KEY",
    "OPENCODE_GO_API_KEY",
    "OPENCODE_ZEN_API_KEY",
    "STEPFUN_API_KEY",
    "TOKENHUB_API_KEY",
    "UPSTAGE_API_KEY",
    "XAI_API_KEY",
    "XIAOMI_API_KEY",
    "ZAI_API_KEY",
    "Z_AI_API_KEY",
];

/// Whether Hermes in `home` could find a provider of the user's: a variable with a credential that `is_hubs` does not
/// know, in the environment or in Hermes's own `.env`, or a login. A `.env` that cannot be looked into may hold
/// one.
#[must_use]
pub fn has_own(
    home: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    is_hubs: &dyn Fn(&str, &str) -> bool,
) -> bool {
    let is_own = |name: &str, text: &str| {
        CREDENTIALS.contains(&name) && !text.trim().is_empty() && !is_hubs(name, text.trim())
    };
    let in_environment =
        CREDENTIALS.iter().any(|name| variable(name).is_some_and(|text| is_own(name, &text)));
    in_environment || home.join(LOGINS).exists() || in_env_file(&home.join(ENV_FILE), &is_own)
}

fn in_env_file(path: &Path, is_own: &dyn Fn(&str, &str) -> bool) -> bool {
    let bytes = match small_file::read(path, BYTES) {
        Ok(bytes) => bytes,
        Err(Unread::Missing) => return false,
        Err(_) => return true,
    };
    let found = bindings(&String::from_utf8_lossy(&bytes));
    // Of several the last counts.
    let last = |name: &str| found.iter().rfind(|binding| binding.name == name);
    found.iter().filter_map(|binding| last(&binding.name)).any(|binding| {
        let text = binding.text.as_deref().unwrap_or_default();
        is_own(&binding.name, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::small_file::tests::Scratch;

    fn found(scratch: &Scratch, set: Option<(&str, &str)>) -> bool {
        let variable = |name: &str| set.filter(|(set, _)| *set == name).map(|(_, text)| text.to_owned());
        has_own(&scratch.0, &variable, &|name, text| (name, text) == ("OPENAI_API_KEY", "hubs"))
    }

    #[test]
    fn credentials_are_found_in_the_environment_and_in_the_env_file() {
        let scratch = Scratch::new();
        for (set, expected) in [
            (None, false),
            (Some(("OPENROUTER_API_KEY", "mine")), true),
            (Some(("GLM_API_KEY", "mine")), true),
            (Some(("GLM_API_KEY", " ")), false),
            (Some(("OPENAI_API_KEY", "hubs")), false),
            (Some(("OPENAI_API_KEY", "mine")), true),
            (Some(("FAL_KEY", "mine")), false),
        ] {
            assert_eq!(found(&scratch, set), expected, "{set:?}");
        }
        for (text, expected) in [
            ("OPENROUTER_API_KEY=\n# OPENAI_API_KEY=mine\nTERMINAL_TIMEOUT=60\n", false),
            ("export OPENROUTER_API_KEY='mine'\n", true),
            ("OPENROUTER_API_KEY=mine\nOPENROUTER_API_KEY=\n", false),
            ("OPENAI_API_KEY=hubs\n", false),
        ] {
            scratch.write(ENV_FILE, text);
            assert_eq!(found(&scratch, None), expected, "{text:?}");
        }
    }

    #[test]
    fn a_login_and_an_env_file_that_cannot_be_looked_into_may_be_the_users() {
        let scratch = Scratch::new();
        scratch.write(LOGINS, "{}");
        assert!(found(&scratch, None));
        let scratch = Scratch::new();
        std::os::unix::fs::symlink("elsewhere", scratch.0.join(ENV_FILE)).unwrap();
        assert!(found(&scratch, None));
    }
}
