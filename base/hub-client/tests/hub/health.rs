//! Liveness, and readiness where there is no liveness.

use hubkit_contract::exit;
use hubkit_dev_hub::Inference;
use hubkit_hub_client::{Health, HubError};

use crate::raw::{Act, Raw, answer, json};
use crate::{client, hub, once, patient};

const LIVE: &str = "/api/health/live";
const READY: &str = "/api/health";

#[test]
fn a_hub_that_lives_says_so() {
    let hub = hub(Inference::default());
    assert_eq!(client(&hub.url(), once()).health(), Ok(Health { is_ok: true, path: LIVE }));
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn an_older_hub_is_asked_whether_it_is_ready() {
    let page = answer("200 OK", "Content-Type: text/html\r\n", "<html></html>");
    for missing in [answer("404 Not Found", "", ""), page] {
        let server = Raw::start(move |head| match head.starts_with(&format!("GET {LIVE} ")) {
            true => Act::Send(missing.clone()),
            false => Act::Send(json(r#"{"status":"ok","info":{},"error":{},"details":{}}"#)),
        });
        assert_eq!(client(&server.url(), once()).health(), Ok(Health { is_ok: true, path: READY }));
        assert_eq!(server.heads().len(), 2);
    }
}

#[test]
fn another_word_is_not_ok() {
    let server = Raw::always(Act::Send(json(r#"{"status":"error"}"#)));
    assert_eq!(client(&server.url(), once()).health(), Ok(Health { is_ok: false, path: LIVE }));
}

#[test]
fn what_is_no_hub_is_told_apart_from_a_hub_that_is_down() {
    let page = Raw::always(Act::Send(answer("200 OK", "Content-Type: text/html\r\n", "<html></html>")));
    let error = client(&page.url(), patient()).health().unwrap_err();
    assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");
    assert_eq!(page.heads().len(), 2);

    let other = Raw::always(Act::Send(json("{}")));
    let error = client(&other.url(), patient()).health().unwrap_err();
    assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");

    let down = Raw::always(Act::Send(answer("503 Service Unavailable", "", "")));
    let error = client(&down.url(), once()).health().unwrap_err();
    assert_eq!(error.exit_code(), exit::UNREACHABLE, "{error:?}");
    assert_eq!(down.heads().len(), 1);
}
