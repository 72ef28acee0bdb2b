//! How much is read.

use hubkit_contract::handout::App;
use hubkit_contract::limits::HUB_ANSWER_BYTES;
use hubkit_dev_hub::Instead;
use hubkit_hub_client::HubError;

use crate::raw::{Act, Raw, answer};
use crate::{always, client, once};

#[test]
fn an_answer_may_be_as_long_as_the_limit_and_no_longer() {
    let at = always(Instead::Padded(HUB_ANSWER_BYTES));
    assert!(client(&at.url(), once()).handout(App::Hermes).is_ok());

    let past = always(Instead::Padded(HUB_ANSWER_BYTES + 1));
    let error = client(&past.url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(&error, HubError::Protocol { what, .. } if what.contains("8388608")), "{error:?}");
    assert_eq!(past.requests().len(), 1);
}

#[test]
fn an_answer_without_a_length_is_bounded_too() {
    let endless = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    let server = Raw::always(Act::Send(format!("{endless}{}", " ".repeat(HUB_ANSWER_BYTES + 1))));
    let error = client(&server.url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(&error, HubError::Protocol { what, .. } if what.contains("8388608")), "{error:?}");
}

#[test]
fn an_error_page_is_not_read() {
    // Its length is a lie; whoever waits for the body waits for ever.
    let head = "HTTP/1.1 404 Not Found\r\nContent-Length: 1000000000\r\n\r\n";
    let server = Raw::always(Act::Drip(head.to_owned()));
    let error = client(&server.url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::UnknownApp { .. }), "{error:?}");
}

#[test]
fn json_is_known_by_its_type_and_must_be_whole() {
    let body = r#"{"apiVersion":1,"env":{}}"#;
    let asked = |headers: &str, body: &str| {
        let server = Raw::always(Act::Send(answer("200 OK", headers, body)));
        client(&server.url(), once()).handout(App::Hermes)
    };
    for kind in ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"] {
        assert!(asked(&format!("Content-Type: {kind}\r\n"), body).is_ok(), "{kind}");
    }
    for headers in [
        "",
        "Content-Type: text/html\r\n",
        "Content-Type: text/plain\r\n",
        "Content-Type: application/jsonp\r\n",
    ] {
        let error = asked(headers, body).unwrap_err();
        assert!(matches!(error, HubError::Protocol { .. }), "{headers}: {error:?}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for broken in ["", "{", "{}{}", "<html>", "\u{feff}{}", deep.as_str()] {
        let error = asked("Content-Type: application/json\r\n", broken).unwrap_err();
        assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");
    }
}
