//! Answers in place of a route's own: what a Hub, or what stands at its address, does at a bad time.

use std::sync::atomic::{AtomicUsize, Ordering};

use hyper::StatusCode;
use hyper::header::{LOCATION, RETRY_AFTER};

use crate::answer::{self, Answer};

/// The same answer several times, or always.
#[derive(Debug, Clone)]
pub struct Script {
    /// The answer.
    pub instead: Instead,
    /// To how many requests, from the first on; `None` is to all.
    pub times: Option<usize>,
}

impl Script {
    /// To every request.
    #[must_use]
    pub fn always(instead: Instead) -> Self {
        Self { instead, times: None }
    }

    /// To the first requests alone.
    #[must_use]
    pub fn first(times: usize, instead: Instead) -> Self {
        Self { instead, times: Some(times) }
    }
}

/// An answer in place of the right one.
#[derive(Debug, Clone)]
pub enum Instead {
    /// The exception filter's body under this status.
    Status(u16),
    /// 429 with a pause that is asked for, seconds.
    Busy(u64),
    /// 200 with the page of a web app.
    Page,
    /// The right answer with spaces behind it, up to so many bytes.
    Padded(usize),
    /// 302 to this place.
    Redirect(String),
    /// No answer; the connection stays open.
    Silence,
}

/// A script as it is played.
#[derive(Debug, Default)]
pub(crate) struct Player {
    script: Option<Script>,
    played: AtomicUsize,
}

impl Player {
    /// Begins at the start of the script.
    pub(crate) fn new(script: Option<Script>) -> Self {
        Self { script, played: AtomicUsize::new(0) }
    }

    /// What the next request gets in place of its answer.
    pub(crate) fn next(&self) -> Option<&Instead> {
        let script = self.script.as_ref()?;
        let number = self.played.fetch_add(1, Ordering::Relaxed);
        script.times.is_none_or(|times| number < times).then_some(&script.instead)
    }
}

impl Instead {
    /// The answer; `right` is what the route would say.
    pub(crate) async fn answer(&self, path: &str, right: impl FnOnce() -> String) -> Answer {
        match self {
            Self::Status(code) => {
                let status = StatusCode::from_u16(*code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                answer::filtered(status, status.canonical_reason().unwrap_or_default(), path)
            }
            Self::Busy(seconds) => {
                let mut busy = answer::filtered(
                    StatusCode::TOO_MANY_REQUESTS,
                    "ThrottlerException: Too Many Requests",
                    path,
                );
                busy.headers_mut().insert(RETRY_AFTER, (*seconds).into());
                busy
            }
            Self::Page => answer::text(
                "text/html; charset=utf-8",
                "<!doctype html><html><body><div id=\"app\"></div></body></html>".to_owned(),
            ),
            Self::Padded(bytes) => {
                let mut text = right();
                text.extend(std::iter::repeat_n(' ', bytes.saturating_sub(text.len())));
                answer::json(StatusCode::OK, text)
            }
            Self::Redirect(to) => {
                let mut found = answer::json(StatusCode::FOUND, String::new());
                match to.parse() {
                    Ok(to) => drop(found.headers_mut().insert(LOCATION, to)),
                    Err(_) => *found.status_mut() = StatusCode::INTERNAL_SERVER_ERROR,
                }
                found
            }
            Self::Silence => std::future::pending().await,
        }
    }
}
