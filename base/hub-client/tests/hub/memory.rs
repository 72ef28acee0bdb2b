//! How an app stands to the memory server.

use hubkit_contract::{Urn, exit};
use hubkit_dev_hub::{DevHub, Memory, Options};
use hubkit_hub_client::{HubError, MemoryLink, MemoryState};
use hubkit_redaction::Secret;

use crate::raw::{Act, Raw, json};
use crate::{KEY, client, once, patient};

fn urn() -> Urn {
    Urn::parse("ci-hermes:official").unwrap()
}

#[test]
fn each_state_is_told_apart() {
    for (memory, link) in [
        (Memory::Unconfigured, MemoryLink::Unconfigured),
        (Memory::Connected, MemoryLink::Connected),
        (Memory::Skipped, MemoryLink::Skipped),
        (Memory::Manual, MemoryLink::Manual),
    ] {
        let hub = DevHub::start_blocking(Options { memory, ..Options::new(Secret::new(KEY)) }).unwrap();
        let state = client(&hub.url(), once()).memory_state(&urn(), &Secret::new(KEY)).unwrap();
        let connect_url =
            (memory == Memory::Unconfigured).then(|| "/apps/ci-hermes:official?connect=memory".to_owned());
        assert_eq!(state, MemoryState { link, connect_url });
        assert_eq!(hub.requests()[0].path, "/api/memory-connect/apps/ci-hermes%3Aofficial/state");
    }
}

#[test]
fn another_key_is_refused_once_and_not_shown() {
    let hub = DevHub::start_blocking(Options::new(Secret::new(KEY))).unwrap();
    let key = Secret::new("canary-fedcba9876543210");
    let error = client(&hub.url(), patient()).memory_state(&urn(), &key).unwrap_err();
    assert!(matches!(error, HubError::CredentialRefused { .. }), "{error:?}");
    assert_eq!(error.exit_code(), exit::CREDENTIAL_REFUSED);
    assert_eq!(hub.requests().len(), 1);

    let key = Secret::new("canary\nX-Other: y");
    let error = client(&hub.url(), patient()).memory_state(&urn(), &key).unwrap_err();
    assert_eq!(error.exit_code(), exit::CONFIG);
    assert!(!format!("{error} {error:?}").contains("canary"));
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn the_key_goes_to_the_origin_that_was_asked_alone() {
    let other = Raw::always(Act::Send(json(r#"{"state":"connected"}"#)));
    let to = format!("Location: {}/x\r\n", other.url());
    let server = Raw::always(Act::Send(crate::raw::answer("307 Temporary Redirect", &to, "")));
    let error = client(&server.url(), patient()).memory_state(&urn(), &Secret::new(KEY)).unwrap_err();
    assert!(matches!(error, HubError::Redirect { .. }), "{error:?}");
    assert!(server.heads()[0].contains(&format!("authorization: Bearer {KEY}\r\n")));
    assert_eq!(other.heads(), [""; 0]);
}

#[test]
fn what_is_no_state_breaks_the_protocol() {
    for body in ["{}", r#"{"state":"other"}"#, r#"{"state":1}"#, "[]"] {
        let server = Raw::always(Act::Send(json(body)));
        let error = client(&server.url(), once()).memory_state(&urn(), &Secret::new(KEY)).unwrap_err();
        assert!(matches!(error, HubError::Protocol { .. }), "{body}: {error:?}");
    }
}
