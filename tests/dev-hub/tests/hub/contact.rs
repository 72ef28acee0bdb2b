//! The first contact against the development Hub, and against servers that misbehave.

use std::process::Command;
use std::time::Duration;

use hubkit_dev_hub::{Capability, DevHub, Options};
use hubkit_mcp_client::{Contact, ContactError, Endpoint, Limits, first_contact};
use hubkit_redaction::Secret;
use serde_json::json;

use crate::scripted::{Act, Scripted, answer, legacy, result};

const KEY: &str = "canary-0123456789abcdef";

/// Long enough that no busy machine trips it.
const PATIENT: Limits = Limits { total: Duration::from_secs(120), pages: 64 };

async fn meet(url: &str, key: &str, limits: Limits) -> Result<Contact, ContactError> {
    let endpoint = Endpoint { url: url.to_owned(), authorization: Secret::new(format!("Bearer {key}")) };
    let met = first_contact(&endpoint, limits).await;
    if let Err(error) = &met {
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(key), "the key is in the error");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    met
}

/// The error of a contact with a server that always answers like this, and its exit code.
async fn error_of(answer: String) -> (u8, String) {
    let server = Scripted::always(answer);
    let error = meet(&server.url(), KEY, PATIENT).await.unwrap_err();
    (error.exit_code(), error.to_string())
}

fn hub(capability: Capability) -> DevHub {
    DevHub::start_blocking(Options { capability, ..Options::new(Secret::new(KEY)) }).unwrap()
}

#[tokio::test]
async fn the_right_key_lists_the_tools() {
    let hub = hub(Capability::Full);
    let contact = meet(&hub.mcp_url(), KEY, PATIENT).await.unwrap();
    assert_eq!((contact.server_name.as_str(), contact.server_version.as_str()), ("ci-hub", "1.0.0"));
    assert_eq!(contact.protocol_version, "2026-07-28");
    assert_eq!(contact.tools.len(), 7);
    assert!(contact.tools.iter().any(|tool| tool == "hub_system_load"));
    let seen = hub.requests();
    assert!(
        seen.iter().all(|seen| seen.user_agent.as_deref().is_some_and(|agent| agent.starts_with("hubkit/")))
    );
    assert!(seen.iter().any(|seen| seen.rpc_method.as_deref() == Some("tools/list") && seen.status == 200));
}

#[tokio::test]
async fn a_wrong_key_is_a_refused_credential() {
    let hub = hub(Capability::Write);
    let error = meet(&hub.mcp_url(), "canary-wrong-0123456789", PATIENT).await.unwrap_err();
    assert!(matches!(error, ContactError::CredentialRefused { status: 401, .. }), "{error:?}");
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains(&hub.mcp_url()), "{error}");
}

#[tokio::test]
async fn any_401_or_403_is_a_refused_credential() {
    for status in ["401 Unauthorized", "403 Forbidden"] {
        let html = answer(status, "text/html", &format!("<html>{KEY}</html>"));
        let rpc = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32000, "message": KEY } });
        let rpc = answer(status, "application/json", &rpc.to_string());
        let challenge = html.replacen("\r\n", "\r\nWWW-Authenticate: Bearer realm=\"hub\"\r\n", 1);
        for refusal in [html, rpc, challenge] {
            let (code, text) = error_of(refusal).await;
            assert_eq!(code, 3, "{text}");
            assert!(text.contains(&status[..3]), "{text}");
        }
    }
}

#[tokio::test]
async fn a_dead_port_is_unreachable() {
    // Bound and not listening: nobody else can get the port, and connecting is refused.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}/api/mcp", socket.local_addr().unwrap());
    let error = meet(&url, KEY, PATIENT).await.unwrap_err();
    assert!(matches!(error, ContactError::Unreachable { .. }), "{error:?}");
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("refused"), "{error}");
}

#[tokio::test]
async fn an_outage_is_unreachable_and_no_verdict_on_the_key() {
    for status in ["503 Service Unavailable", "502 Bad Gateway", "429 Too Many Requests"] {
        let (code, text) = error_of(answer(status, "application/json", r#"{"statusCode":503}"#)).await;
        assert_eq!(code, 4, "{text}");
        assert!(text.contains(&status[..3]), "{text}");
    }
}

#[tokio::test]
async fn what_is_no_mcp_breaks_the_protocol() {
    let page = format!("<!doctype html><title>{KEY}</title>");
    let answers = [
        answer("200 OK", "text/html", &page),
        answer("200 OK", "application/json", &format!(r#"{{"hello":"{KEY}"}}"#)),
        answer("200 OK", "application/json", ""),
        answer("404 Not Found", "text/html", &page),
        answer("200 OK", "text/event-stream", "data: nothing\n\n"),
        format!("SSH-2.0-{KEY}\r\n"),
        String::new(),
    ];
    for given in answers {
        let (code, text) = error_of(given.clone()).await;
        assert_eq!(code, 6, "{given:?}: {text}");
    }
}

#[tokio::test]
async fn a_silent_server_runs_into_the_limit() {
    let silent = Scripted::start(|_| Act::BeSilent);
    let limits = Limits { total: Duration::from_millis(300), ..PATIENT };
    let error = meet(&silent.url(), KEY, limits).await.unwrap_err();
    assert!(matches!(error, ContactError::Timeout { .. }), "{error:?}");
    assert_eq!(error.exit_code(), 7);

    let silent_later = Scripted::start(|request| match request.message["method"].as_str() {
        Some("tools/list") => Act::BeSilent,
        _ => legacy(|_| json!({}))(request),
    });
    let limits = Limits { total: Duration::from_secs(2), ..PATIENT };
    let error = meet(&silent_later.url(), KEY, limits).await.unwrap_err();
    assert_eq!(error.exit_code(), 7, "{error:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_carries_no_key_away() {
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let other = Scripted::start(legacy(|_| json!({ "tools": [] })));
        let location = other.url();
        let redirecting = Scripted::always(format!(
            "HTTP/1.1 {status}\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        ));
        let error = meet(&redirecting.url(), KEY, PATIENT).await.unwrap_err();
        assert_eq!(error.exit_code(), 6, "{error:?}");
        assert!(error.to_string().contains(&status[..3]), "{error}");
        assert!(other.seen().is_empty(), "{:?}", other.seen());
        assert!(redirecting.seen()[0].head.contains(&format!("Bearer {KEY}")));
    }
}

#[tokio::test]
async fn a_server_of_the_session_era_is_met_too_and_all_its_pages_read() {
    let paged = Scripted::start(|request| {
        legacy(|cursor| {
            let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
            match cursor {
                None => json!({ "tools": [tool("a"), tool("b")], "nextCursor": "2" }),
                Some("2") => json!({ "tools": [], "nextCursor": "3" }),
                Some(_) => json!({ "tools": [tool("c")] }),
            }
        })(request)
    });
    let contact = meet(&paged.url(), KEY, PATIENT).await.unwrap();
    assert_eq!(contact.tools, ["a", "b", "c"]);
    assert_eq!((contact.server_name.as_str(), contact.protocol_version.as_str()), ("old", "2025-06-18"));

    let exact = meet(&paged.url(), KEY, Limits { pages: 3, ..PATIENT }).await;
    assert_eq!(exact.unwrap().tools.len(), 3);
    let error = meet(&paged.url(), KEY, Limits { pages: 2, ..PATIENT }).await.unwrap_err();
    assert_eq!(error.exit_code(), 6);
    assert!(error.to_string().contains("more than 2 pages"), "{error}");
}

#[tokio::test]
async fn a_server_that_answers_the_unknown_with_nothing_is_met_too() {
    let vague = Scripted::start(|request| match request.message["method"].as_str() {
        Some("server/discover") => result(request, &json!({})),
        _ => legacy(|_| json!({ "tools": [] }))(request),
    });
    let contact = meet(&vague.url(), KEY, PATIENT).await.unwrap();
    assert_eq!(contact.protocol_version, "2025-06-18");
}

#[tokio::test]
async fn a_credential_that_no_header_can_carry_is_never_sent() {
    let server = Scripted::always(String::new());
    let error = meet(&server.url(), "canary\nX-Other: 0123456789", PATIENT).await.unwrap_err();
    assert_eq!(error.exit_code(), 78);
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_session_is_closed_on_parting() {
    let server = Scripted::start(|request| match legacy(|_| json!({ "tools": [] }))(request) {
        Act::Send(answer) if request.message["method"] == "initialize" => {
            Act::Send(answer.replacen("\r\n", "\r\nMcp-Session-Id: session-1\r\n", 1))
        }
        act => act,
    });
    meet(&server.url(), KEY, PATIENT).await.unwrap();
    let seen = server.seen();
    let closing = seen.iter().find(|request| request.head.starts_with("DELETE ")).unwrap();
    assert!(closing.head.contains("session-1") && closing.head.contains(KEY), "{}", closing.head);
}

/// Set for the run of this binary that sees no CA certificates.
const WITHOUT_ROOTS: &str = "HUBKIT_TEST_WITHOUT_ROOTS";

#[tokio::test]
async fn an_image_without_ca_certificates_still_speaks_plain_http() {
    if std::env::var_os(WITHOUT_ROOTS).is_some() {
        let hub = hub(Capability::Write);
        assert_eq!(meet(&hub.mcp_url(), KEY, PATIENT).await.unwrap().tools.len(), 6);
        let error = meet(&hub.mcp_url().replace("http:", "https:"), KEY, PATIENT).await.unwrap_err();
        assert!(matches!(error, ContactError::Tls { .. }), "{error:?}");
        assert_eq!(error.exit_code(), 78);
        return;
    }
    let empty = tempfile::tempdir().unwrap();
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "contact::an_image_without_ca_certificates_still_speaks_plain_http"])
        .env(WITHOUT_ROOTS, "1")
        .env("SSL_CERT_DIR", empty.path())
        .env_remove("SSL_CERT_FILE")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && output.contains("1 passed"), "{output}");
}

/// Set for the run of this binary that is told to use a proxy.
const WITH_PROXY: &str = "HUBKIT_TEST_WITH_PROXY";

#[tokio::test]
async fn a_proxy_in_the_environment_is_not_used() {
    if std::env::var_os(WITH_PROXY).is_some() {
        let hub = hub(Capability::Write);
        assert_eq!(meet(&hub.mcp_url(), KEY, PATIENT).await.unwrap().tools.len(), 6);
        return;
    }
    let proxy = Scripted::always(String::new());
    let proxy_url = proxy.url().replace("/api/mcp", "");
    let again = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "contact::a_proxy_in_the_environment_is_not_used"])
        .env(WITH_PROXY, "1")
        .envs(["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"].map(|name| (name, &proxy_url)))
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && output.contains("1 passed"), "{output}");
    assert!(proxy.seen().is_empty(), "{:?}", proxy.seen());
}
