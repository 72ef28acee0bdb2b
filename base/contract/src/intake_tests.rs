//! Tests of the intake, on a made-up environment.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::ffi::OsStringExt as _;

use super::*;

fn take(variables: &[(&str, &str)]) -> Intake {
    take_with(variables, &[])
}

fn take_with(variables: &[(&str, &str)], files: &[(&str, &[u8])]) -> Intake {
    let variables: HashMap<String, OsString> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(*value))).collect();
    let files: HashMap<PathBuf, Vec<u8>> =
        files.iter().map(|(path, bytes)| (PathBuf::from(path), bytes.to_vec())).collect();
    Intake::take(&Source {
        variable: &|name| variables.get(name).cloned(),
        file: &|path, _| files.get(path).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)),
    })
}

fn key(value: &str) -> Field<Secret> {
    take(&[("HUB_MCP_API_KEY", value)]).hub_mcp_api_key
}

#[test]
fn a_trailing_newline_is_forgiven_and_noted() {
    let intake = take(&[("HUB_MCP_API_KEY", "k_test_9\n")]);
    let taken = intake.hub_mcp_api_key.unwrap().unwrap();
    assert_eq!(taken.value.expose(), "k_test_9");
    assert!(!taken.as_is, "the environment still holds the newline");
    assert_eq!(intake.notes, ["HUB_MCP_API_KEY: trailing line break removed"]);
}

#[test]
fn inner_characters_are_refused_by_name_kind_and_position() {
    for (value, kind) in [
        ("\u{200b}k_test_9", "a zero-width space (U+200B) at character 1"),
        ("k_te\r\nX: y", "a carriage return (U+000D) at character 5"),
        ("k_te st", "a space (U+0020) at character 5"),
        ("k_té", "a character outside ASCII (U+00E9) at character 4"),
    ] {
        let error = key(value).unwrap_err();
        assert_eq!(error.variable, "HUB_MCP_API_KEY");
        assert!(error.what.contains(kind), "{error}");
        assert!(!error.to_string().contains("k_te"), "{error}");
    }
}

#[test]
fn a_bearer_prefix_goes_however_often_it_was_given() {
    for value in ["Bearer k_test_9", "bearer  k_test_9", "Bearer Bearer k_test_9"] {
        let taken = key(value).unwrap().unwrap();
        assert_eq!(taken.value.expose(), "k_test_9", "{value}");
        assert!(!taken.as_is);
    }
}

#[test]
fn placeholders_are_refused_and_blank_is_unset() {
    for value in ["${HUB_MCP_API_KEY}", "Bearer ${X}", "<HUB_MCP_API_KEY>", "Bearer"] {
        assert!(key(value).unwrap_err().what.contains("placeholder"), "{value}");
    }
    for value in ["", "  ", "\"\"", "\n"] {
        assert!(key(value).unwrap().is_none(), "{value:?}");
    }
}

#[test]
fn a_file_form_is_read_and_the_environment_does_not_hold_it() {
    let files: &[(&str, &[u8])] = &[("/run/secrets/key", b"k_test_9\n")];
    let intake = take_with(&[("HUB_MCP_API_KEY_FILE", "/run/secrets/key")], files);
    let taken = intake.hub_mcp_api_key.unwrap().unwrap();
    assert_eq!(taken.value.expose(), "k_test_9");
    assert!(!taken.as_is);
    assert!(intake.notes.is_empty());
    let quoted: &[(&str, &[u8])] = &[("/f", b"\"k_test_9\"\n")];
    let intake = take_with(&[("HUB_MCP_API_KEY_FILE", "/f")], quoted);
    assert!(
        intake.notes.iter().any(|note| note == "HUB_MCP_API_KEY_FILE: surrounding quotes removed"),
        "{:?}",
        intake.notes
    );
}

#[test]
fn file_form_and_variable_must_agree() {
    let files: &[(&str, &[u8])] = &[("/f", b"k_test_9")];
    let both = |value| take_with(&[("HUB_MCP_API_KEY", value), ("HUB_MCP_API_KEY_FILE", "/f")], files);
    assert!(both("k_test_9").hub_mcp_api_key.unwrap().unwrap().as_is);
    let error = both("k_other_9").hub_mcp_api_key.unwrap_err();
    assert!(error.to_string().contains("HUB_MCP_API_KEY_FILE"), "{error}");
}

#[test]
fn a_secret_file_may_be_as_large_as_the_limit_and_no_larger() {
    let good = vec![b'k'; limits::SECRET_FILE_BYTES];
    let large = vec![b'k'; limits::SECRET_FILE_BYTES + 1];
    let env = &[("HUB_MCP_API_KEY_FILE", "/f")];
    assert!(take_with(env, &[("/f", &good)]).hub_mcp_api_key.is_ok());
    assert!(take_with(env, &[("/f", &large)]).hub_mcp_api_key.unwrap_err().what.contains("larger"));
}

#[test]
fn unreadable_blank_and_binary_secret_files_are_errors_that_name_the_file_variable() {
    let env = &[("HUB_WAKE_SECRET_FILE", "/f")];
    for (files, what) in [
        (vec![], "cannot be read"),
        (vec![("/f", b" \n".as_slice())], "blank"),
        (vec![("/f", b"\xff\xfe".as_slice())], "UTF-8"),
    ] {
        let error = take_with(env, &files).hub_wake_secret.unwrap_err();
        assert_eq!(error.variable, "HUB_WAKE_SECRET_FILE");
        assert!(error.what.contains(what), "{error}");
    }
}

#[test]
fn the_endpoint_is_the_explicit_url_or_the_base_with_one_path() {
    let endpoint = |variables: &[(&str, &str)]| take(variables).mcp_endpoint();
    assert_eq!(endpoint(&[]), Ok(None));
    for base in ["http://ci-hub:5002/", "http://ci-hub:5002/api/mcp"] {
        assert_eq!(endpoint(&[("HUB_URL", base)]).unwrap().unwrap(), "http://ci-hub:5002/api/mcp");
    }
    let explicit = [("HUB_URL", "http://other"), ("HUB_MCP_URL", "http://ci-hub:5002/api/mcp/")];
    assert_eq!(endpoint(&explicit).unwrap().unwrap(), "http://ci-hub:5002/api/mcp/");
    let broken_base = [("HUB_URL", "nonsense"), ("HUB_MCP_URL", "http://h/api/mcp")];
    assert_eq!(endpoint(&broken_base).unwrap().unwrap(), "http://h/api/mcp");
    assert_eq!(endpoint(&[("HUB_URL", "nonsense")]).unwrap_err().variable, "HUB_URL");
}

#[test]
fn an_endpoint_of_the_older_transport_becomes_todays_and_its_other_half_is_said() {
    let intake = take(&[
        ("HUB_MCP_URL", "http://ci-hub:5002/api/mcp/sse"),
        ("HUB_MCP_MESSAGES_URL", "http://ci-hub:5002/api/mcp/messages"),
    ]);
    let url = intake.hub_mcp_url.clone().unwrap().unwrap();
    assert_eq!((url.value.as_str(), url.as_is), ("http://ci-hub:5002/api/mcp", false));
    assert_eq!(intake.notes.len(), 2, "{:?}", intake.notes);
    assert!(intake.notes[0].starts_with("HUB_MCP_URL is of the Hub's older transport"), "{:?}", intake.notes);
    assert!(intake.notes[1].starts_with("HUB_MCP_MESSAGES_URL"), "{:?}", intake.notes);
    let kept = take(&[("HUB_MCP_URL", "http://hub/sse")]);
    assert_eq!(kept.hub_mcp_url.unwrap().unwrap().value, "http://hub/sse");
    assert!(kept.notes[0].contains("ends in `/sse`"), "{:?}", kept.notes);
}

#[test]
fn the_switch_knows_its_words_and_refuses_others() {
    let enabled = |word: &str| take(&[("HUB_MCP_ENABLED", word)]).mcp_enabled();
    for word in ["", "true", "1", "YES", "On", "\"true\""] {
        assert_eq!(enabled(word), Ok(true), "{word}");
    }
    for word in ["false", "0", "no", "OFF", "'false'\n"] {
        assert_eq!(enabled(word), Ok(false), "{word}");
    }
    for word in ["maybe", "disabled", "2", "falsch"] {
        assert_eq!(enabled(word).unwrap_err().variable, "HUB_MCP_ENABLED");
    }
}

#[test]
fn one_bad_variable_spoils_only_itself() {
    let intake =
        take(&[("CI_APP_URN", "nonsense"), ("CI_LLM_NUM_CTX", "-1"), ("HUB_MCP_API_KEY", "k_test_9")]);
    assert!(intake.ci_app_urn.is_err() && intake.ci_llm_num_ctx.is_err());
    assert!(intake.hub_mcp_api_key.unwrap().is_some());
}

#[test]
fn an_ollama_host_without_scheme_gets_one() {
    let host = |value: &str| take(&[("OLLAMA_HOST", value)]).ollama_host.unwrap().unwrap().value;
    assert_eq!(host("ollama:11434"), "http://ollama:11434");
    assert_eq!(host("http://ollama:11434"), "http://ollama:11434");
}

#[test]
fn text_that_is_not_utf8_is_an_error_and_no_panic() {
    let intake = Intake::take(&Source {
        variable: &|name| (name == "HUB_URL").then(|| OsString::from_vec(vec![0x68, 0xff])),
        file: &|_, _| Err(io::Error::from(io::ErrorKind::NotFound)),
    });
    assert!(intake.hub_url.unwrap_err().what.contains("UTF-8"));
}

#[test]
fn every_variable_of_the_table_is_asked_for_and_the_operators_key_never() {
    let asked = RefCell::new(Vec::new());
    let _ = Intake::take(&Source {
        variable: &|name| {
            asked.borrow_mut().push(name.to_owned());
            None
        },
        file: &|_, _| Err(io::Error::from(io::ErrorKind::NotFound)),
    });
    let asked = asked.into_inner();
    for row in names::TABLE {
        assert!(asked.iter().any(|name| name == row.name), "{} was not read", row.name);
        assert_eq!(asked.contains(&names::file_form(row.name)), row.secret, "{}", row.name);
    }
    for name in &asked {
        let bare = name.strip_suffix("_FILE").unwrap_or(name);
        assert!(names::TABLE.iter().any(|row| row.name == bare), "{name} is not documented");
    }
    assert!(!asked.iter().any(|name| name == "HUB_API_KEY"));
}

#[test]
fn secrets_are_masked_also_when_refused() {
    let intake = take(&[
        ("HUB_MCP_API_KEY", "canary-0123456789\u{200b}abcdef"),
        ("HUB_WAKE_SECRET", "wake-canary-0123456789"),
    ]);
    let out = intake.redactor().redact("canary-0123456789\u{200b}abcdef wake-canary-0123456789");
    assert_eq!(out, "[redacted] [redacted]");
    assert!(!format!("{intake:?}").contains("canary"), "{intake:?}");
}
