//! Which way a request goes, and what it carries.

use std::process::Command;

use hubkit_contract::exit;
use hubkit_contract::handout::App;
use hubkit_contract::limits::HUB_REDIRECTS;
use hubkit_dev_hub::{Inference, Instead, Script};
use hubkit_hub_client::{HubClient, HubError, Options};

use crate::raw::{Act, Raw, answer, json};
use crate::{always, client, hub, once, patient, scripted};

/// Set for the second run of a test: where the Hub is.
const ASK: &str = "HUBKIT_TEST_ASK";

/// The least that is a hand-out.
const EMPTY: &str = r#"{"apiVersion":1,"env":{}}"#;

#[test]
fn a_proxy_in_the_environment_is_not_used() {
    if let Ok(url) = std::env::var(ASK) {
        // The second run, in an environment that names a proxy.
        assert!(std::env::var("HTTP_PROXY").is_ok());
        client(&url, once()).handout(App::Hermes).unwrap();
        return;
    }
    let hub = hub(Inference::default());
    let proxy = Raw::always(Act::Send(json(EMPTY)));
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "way::a_proxy_in_the_environment_is_not_used"]).env(ASK, hub.url());
    again.env_remove("NO_PROXY").env_remove("no_proxy");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        again.env(name, proxy.url());
    }
    let output = again.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(hub.requests().len(), 1);
    assert_eq!(proxy.heads(), [""; 0]);
}

#[test]
fn a_proxy_that_is_asked_for_is_used() {
    let hub = hub(Inference::default());
    let proxy = Raw::always(Act::Send(json(EMPTY)));
    let options = Options { proxy: Some(proxy.url()), ..once() };
    client(&hub.url(), options).handout(App::Hermes).unwrap();
    assert!(hub.requests().is_empty());
    let line = format!("GET {}/api/inference/apps/hermes-agent/credentials?v=1 HTTP/1.1\r\n", hub.url());
    assert!(proxy.heads()[0].starts_with(&line), "{:?}", proxy.heads());
}

#[test]
fn an_unusable_proxy_is_no_reason_to_go_without() {
    for proxy in ["http://user:pa55word@proxy:3128", "socks5://proxy", "proxy:3128", ""] {
        let options = Options { proxy: Some(proxy.to_owned()), ..once() };
        let error = HubClient::new("http://hub:5002", options).unwrap_err();
        assert!(matches!(error, HubError::Endpoint { .. }), "{proxy}: {error:?}");
        assert_eq!(error.exit_code(), exit::CONFIG);
        assert!(!format!("{error} {error:?}").contains("pa55word"));
    }
}

#[test]
fn a_request_carries_no_more_than_it_must() {
    let cookie = "Content-Type: application/json\r\nSet-Cookie: a=b\r\n";
    let server = Raw::always(Act::Send(answer("200 OK", cookie, EMPTY)));
    let client = client(&server.url(), once());
    client.handout(App::OpenClaw).unwrap();
    client.handout(App::OpenClaw).unwrap();
    assert_eq!(server.heads().len(), 2);
    for head in server.heads() {
        let mut lines = head.trim_end().lines();
        assert_eq!(lines.next(), Some("GET /api/inference/apps/openclaw/credentials?v=1 HTTP/1.1"));
        let mut names: Vec<_> =
            lines.map(|line| line.split_once(':').unwrap().0.to_ascii_lowercase()).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "host", "user-agent"]);
    }
}

#[test]
fn a_redirect_to_another_origin_is_not_followed() {
    let other = hub(Inference::default());
    let to = format!("{}/api/inference/apps/hermes-agent/credentials?v=1", other.url());
    for to in [to.clone(), to.replace("http://", "https://"), to.replace("http:", "")] {
        let hub = always(Instead::Redirect(to.clone()));
        let error = client(&hub.url(), patient()).handout(App::Hermes).unwrap_err();
        assert!(matches!(error, HubError::Redirect { .. }), "{to}: {error:?}");
        assert_eq!(error.exit_code(), exit::PROTOCOL);
        let (said, named) = (error.to_string(), other.url().replace("http://", ""));
        assert!(said.contains(&format!("from {} to ", hub.url())) && said.contains(&named), "{said}");
        assert_eq!(hub.requests().len(), 1);
    }
    assert!(other.requests().is_empty());
}

#[test]
fn a_redirect_that_downgrades_a_scheme_or_leaves_http_is_not_followed() {
    for to in ["file:///etc/passwd", "javascript:x", "data:application/json,{}"] {
        let error =
            client(&always(Instead::Redirect(to.to_owned())).url(), once()).handout(App::Hermes).unwrap_err();
        assert!(matches!(error, HubError::Redirect { .. }), "{to}: {error:?}");
    }
    let long = format!("http://{}/", "a".repeat(10_000));
    let error = client(&always(Instead::Redirect(long)).url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::Redirect { .. }) && error.to_string().len() < 1000, "{error}");
    let nowhere = Raw::always(Act::Send(answer("302 Found", "", "")));
    let error = client(&nowhere.url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");
}

#[test]
fn a_redirect_within_the_origin_is_followed_a_few_times() {
    let path = "/api/inference/apps/hermes-agent/credentials?v=1".to_owned();
    let hub = scripted(Script::first(HUB_REDIRECTS, Instead::Redirect(path.clone())));
    assert!(client(&hub.url(), once()).handout(App::Hermes).is_ok());
    assert_eq!(hub.requests().len(), HUB_REDIRECTS + 1);

    let hub = scripted(Script::first(HUB_REDIRECTS + 1, Instead::Redirect(path)));
    let error = client(&hub.url(), patient()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");
    assert_eq!(hub.requests().len(), HUB_REDIRECTS + 1);
}

#[test]
fn a_user_in_a_redirect_is_not_sent_as_a_credential() {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let server = Raw::start(move |head| {
        let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        match count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
            0 => Act::Send(answer("302 Found", &format!("Location: http://user:pa55word@{host}/x\r\n"), "")),
            _ => Act::Send(json(EMPTY)),
        }
    });
    client(&server.url(), once()).handout(App::Hermes).unwrap();
    let heads = server.heads();
    assert_eq!(heads.len(), 2);
    assert!(!heads[1].to_ascii_lowercase().contains("authorization"), "{}", heads[1]);
}

#[test]
fn https_that_is_none_is_an_error_of_tls() {
    let hub = hub(Inference::default());
    let url = hub.url().replace("http://", "https://");
    // Where there is no CA bundle, the client cannot even be made, which is the same error.
    let error = HubClient::new(&url, patient()).and_then(|client| client.handout(App::Hermes)).unwrap_err();
    assert!(matches!(error, HubError::Tls { .. }), "{error:?}");
    assert_eq!(error.exit_code(), exit::CONFIG);
    assert!(hub.requests().is_empty());
}

#[test]
fn plain_http_is_told_apart() {
    assert!(client("http://hub:5002", once()).is_plain_http());
    if let Ok(client) = HubClient::new("https://hub:5002", once()) {
        assert!(!client.is_plain_http());
    }
}
