//! What is tried again, and how often; counted, not timed.

use std::net::TcpListener;
use std::time::Duration;

use hubkit_contract::exit;
use hubkit_contract::handout::App;
use hubkit_dev_hub::{Instead, Script};
use hubkit_hub_client::{HubError, Options};

use crate::raw::{Act, Raw, json};
use crate::{always, cached, client, once, patient, scripted};

#[test]
fn what_passes_is_tried_again_with_and_without_an_earlier_answer() {
    for options in [cached(), patient()] {
        for instead in [502, 503, 504, 429].map(Instead::Status) {
            let hub = scripted(Script::first(3, instead.clone()));
            let handout = client(&hub.url(), options.clone()).handout(App::Hermes);
            assert!(handout.is_ok(), "{instead:?}: {handout:?}");
            let statuses: Vec<_> = hub.requests().iter().map(|seen| seen.status).collect();
            assert_eq!(statuses.len(), 4, "{instead:?}: {statuses:?}");
        }
    }
}

#[test]
fn a_refused_address_is_tried_again_only_without_an_earlier_answer() {
    let hub = scripted(Script::first(3, Instead::Status(403)));
    assert!(client(&hub.url(), patient()).handout(App::Hermes).is_ok());
    assert_eq!(hub.requests().len(), 4);

    let hub = scripted(Script::first(3, Instead::Status(403)));
    let error = client(&hub.url(), cached()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::OriginRefused { .. }), "{error:?}");
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn a_refusal_for_ever_ends_with_the_refusal_and_not_with_the_time() {
    let hub = always(Instead::Status(403));
    let error = client(&hub.url(), once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::OriginRefused { .. }), "{error:?}");
    assert_eq!(hub.requests().len(), 1);
}

#[test]
fn a_pause_that_is_asked_for_is_kept_or_the_attempt_is_the_last() {
    let hub = always(Instead::Busy(1000));
    let error = client(&hub.url(), patient()).handout(App::Hermes).unwrap_err();
    assert!(matches!(&error, HubError::Unreachable { what, .. } if what == "HTTP 429"), "{error:?}");
    assert_eq!(hub.requests().len(), 1);

    let hub = scripted(Script::first(1, Instead::Busy(1)));
    let before = std::time::Instant::now();
    assert!(client(&hub.url(), patient()).handout(App::Hermes).is_ok());
    assert!(before.elapsed() >= Duration::from_secs(1));
    assert_eq!(hub.requests().len(), 2);
}

#[test]
fn what_stays_is_not_tried_again() {
    for instead in [
        Instead::Page,
        Instead::Status(400),
        Instead::Status(401),
        Instead::Status(404),
        Instead::Status(500),
    ] {
        let hub = always(instead);
        assert!(client(&hub.url(), patient()).handout(App::Hermes).is_err());
        assert_eq!(hub.requests().len(), 1);
    }
    let server = Raw::always(Act::Send("SSH-2.0-OpenSSH_9.9\r\n".to_owned()));
    let error = client(&server.url(), patient()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::Protocol { .. }), "{error:?}");
    assert_eq!(server.heads().len(), 1);
}

#[test]
fn a_hub_that_is_not_there_is_unreachable() {
    // Nobody listens on the first of all ports.
    let error = client("http://127.0.0.1:1", once()).handout(App::Hermes).unwrap_err();
    assert!(matches!(error, HubError::Unreachable { .. }), "{error:?}");
    assert_eq!(error.exit_code(), exit::UNREACHABLE);
}

/// Whether a Hub is found that starts while it is asked for already. `None` if its port went to somebody else.
fn is_found_late() -> Option<bool> {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let asking =
        std::thread::spawn(move || client(&format!("http://{address}"), patient()).handout(App::Hermes));
    std::thread::sleep(Duration::from_millis(50));
    let options = hubkit_dev_hub::Options::new(hubkit_redaction::Secret::new(crate::KEY));
    let options = hubkit_dev_hub::Options { port: address.port(), ..options };
    let hub = hubkit_dev_hub::DevHub::start_blocking(options).ok()?;
    let found = asking.join().unwrap().is_ok();
    Some(found && hub.requests().len() == 1)
}

#[test]
fn a_hub_that_comes_up_late_is_found() {
    // Several attempts, because somebody else on this machine may get the port in between.
    assert_eq!((0..5).find_map(|_| is_found_late()), Some(true));
}

#[test]
fn an_answer_that_breaks_off_is_tried_again() {
    for part in ["", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"] {
        let breaking = Raw::always(Act::Send(part.to_owned()));
        let error = client(&breaking.url(), once()).handout(App::Hermes).unwrap_err();
        assert!(matches!(error, HubError::Unreachable { .. }), "{error:?}");

        let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let recovering = Raw::start(move |_| {
            let number = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let whole = json(r#"{"apiVersion":1,"env":{"HERMES_NUM_CTX":1}}"#);
            Act::Send(if number < 2 { part.to_owned() } else { whole })
        });
        let handout = client(&recovering.url(), patient()).handout(App::Hermes).unwrap();
        assert_eq!(handout.values.len(), 1);
        assert_eq!(recovering.heads().len(), 3);
    }
}

#[test]
fn the_time_is_for_headers_and_body_together() {
    let options = Options {
        budget: Duration::from_millis(200),
        attempt: Duration::from_millis(200),
        ..Options::when_nothing_is_cached()
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n";
    for act in [
        Act::BeSilent,
        Act::Drip("HTTP/1.1 200 OK\r\nX-Slow:".to_owned()),
        Act::Drip(format!("{head}{{\"apiVersion\":1")),
    ] {
        let case = format!("{act:?}");
        let server = Raw::always(act);
        let error = client(&server.url(), options.clone()).handout(App::Hermes).unwrap_err();
        let is_timeout = matches!(&error, HubError::Timeout { after, .. } if *after == options.budget);
        assert!(is_timeout, "{case}: {error:?}");
        assert_eq!(error.exit_code(), exit::TIMEOUT);
        assert!(server.heads().len() <= 1, "{case}: {}", server.heads().len());
    }
}

#[test]
fn an_attempt_that_hangs_is_given_up_for_the_next() {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let server = Raw::start(move |_| match count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
        0 => Act::BeSilent,
        _ => Act::Send(json(r#"{"apiVersion":1,"env":{}}"#)),
    });
    let options = Options { attempt: Duration::from_millis(500), ..patient() };
    assert!(client(&server.url(), options).handout(App::Hermes).is_ok());
    assert!(server.heads().len() >= 2);
}
