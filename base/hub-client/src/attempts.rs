//! Several attempts within one total time.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::HubError;
use crate::options::Options;

/// Why one attempt gave no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The server answered with another status than 200.
    Status {
        /// The status.
        status: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// No connection, or it broke off.
    Unreachable {
        /// What the system said.
        what: String,
    },
    /// The attempt took too long.
    Timeout,
    /// What another attempt would not change.
    Final(HubError),
}

impl Failure {
    /// Whether another attempt may end otherwise.
    fn is_passing(&self, retries_origin_refusal: bool) -> bool {
        match self {
            Self::Status { status, .. } => match status {
                429 | 502 | 503 | 504 => true,
                403 => retries_origin_refusal,
                _ => false,
            },
            Self::Unreachable { .. } | Self::Timeout => true,
            Self::Final(_) => false,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// The error for the caller, where a status has no meaning of its own.
    pub(crate) fn into_error(self, url: &str, options: &Options) -> HubError {
        match self {
            Self::Status { status, .. } => HubError::from_status(url, status),
            Self::Unreachable { what } => HubError::Unreachable { url: url.to_owned(), what },
            Self::Timeout => HubError::Timeout { url: url.to_owned(), after: options.budget },
            Self::Final(error) => error,
        }
    }
}

/// The attempts of one call. The clock starts when this is made.
pub(crate) struct Attempts<'o> {
    options: &'o Options,
    deadline: Instant,
    /// Whether a 403 counts as passing, which only the hand-out's route can have.
    retries_origin_refusal: bool,
}

impl<'o> Attempts<'o> {
    /// Starts the clock.
    pub(crate) fn new(options: &'o Options, retries_origin_refusal: bool) -> Self {
        Self { options, deadline: Instant::now() + options.budget, retries_origin_refusal }
    }

    /// Attempts until one succeeds, fails for good, or the time is over. The last failure is what counts.
    pub(crate) async fn run<T>(&self, attempt: impl AsyncFn() -> Result<T, Failure>) -> Result<T, Failure> {
        let mut pause = self.options.retry_pause;
        loop {
            let until = self.deadline.min(Instant::now() + self.options.attempt);
            let failure = match tokio::time::timeout_at(until, attempt()).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(failure)) => failure,
                Err(_) => Failure::Timeout,
            };
            if !failure.is_passing(self.retries_origin_refusal) {
                return Err(failure);
            }
            let wait = jittered(pause, random()).max(failure.retry_after().unwrap_or_default());
            // A pause that ends after the deadline leaves no time for an attempt.
            if Instant::now() + wait >= self.deadline {
                return Err(failure);
            }
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(Options::LONGEST_PAUSE);
        }
    }
}

/// Between half of `pause` and all of it, so that agents that start together do not ask together.
fn jittered(pause: Duration, random: u64) -> Duration {
    let thousandths = 500 + random % 501;
    pause.mul_f64(thousandths as f64 / 1000.0)
}

/// A number that differs from call to call and from process to process; good enough to spread requests.
fn random() -> u64 {
    RandomState::new().hash_one(0_u8)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn options() -> Options {
        Options {
            budget: Duration::from_secs(30),
            attempt: Duration::from_secs(10),
            retry_pause: Duration::from_secs(1),
            ..Options::when_nothing_is_cached()
        }
    }

    fn status(status: u16, retry_after: Option<u64>) -> Failure {
        Failure::Status { status, retry_after: retry_after.map(Duration::from_secs) }
    }

    /// Runs attempts that take `takes` each and fail as `fails` says, on a clock that jumps. Returns how many
    /// there were, how long it took, and the last failure.
    async fn failing(
        options: &Options,
        takes: Duration,
        fails: impl Fn(u32) -> Failure,
    ) -> (u32, Duration, Failure) {
        let count = Cell::new(0);
        let start = Instant::now();
        let outcome = Attempts::new(options, options.retries_origin_refusal)
            .run(async || {
                count.set(count.get() + 1);
                tokio::time::sleep(takes).await;
                Err::<(), _>(fails(count.get()))
            })
            .await;
        (count.get(), start.elapsed(), outcome.unwrap_err())
    }

    #[tokio::test(start_paused = true)]
    async fn the_time_is_for_everything_together() {
        let options = options();
        let (count, elapsed, failure) =
            failing(&options, Duration::from_secs(4), |_| status(503, None)).await;
        assert!(elapsed <= options.budget, "{elapsed:?}");
        // Four seconds of work and at most four of pause: between four attempts and seven.
        assert!((4..=7).contains(&count), "{count}");
        assert!(matches!(failure, Failure::Status { status: 503, .. } | Failure::Timeout), "{failure:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_attempt_that_hangs_leaves_time_for_others() {
        let options = options();
        let (count, elapsed, failure) =
            failing(&options, Duration::from_secs(3600), |_| status(503, None)).await;
        assert_eq!(count, 3);
        assert!(elapsed <= options.budget, "{elapsed:?}");
        assert!(matches!(failure, Failure::Timeout), "{failure:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_that_the_server_asks_for_is_kept_within_the_budget() {
        let options = options();
        let (count, elapsed, _) = failing(&options, Duration::ZERO, |_| status(429, Some(12))).await;
        assert_eq!((count, elapsed.as_secs()), (3, 24));
        let (count, elapsed, failure) = failing(&options, Duration::ZERO, |_| status(429, Some(3600))).await;
        assert_eq!((count, elapsed), (1, Duration::ZERO));
        assert!(matches!(failure, Failure::Status { status: 429, .. }), "{failure:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_cannot_pass_is_not_tried_again() {
        let mut options = options();
        for code in [400, 401, 404, 418, 500, 501] {
            assert_eq!(failing(&options, Duration::ZERO, |_| status(code, None)).await.0, 1, "{code}");
        }
        let last = |_| Failure::Final(HubError::protocol("http://hub/", "no JSON"));
        assert_eq!(failing(&options, Duration::ZERO, last).await.0, 1);
        assert!(failing(&options, Duration::ZERO, |_| status(403, None)).await.0 > 6);
        options.retries_origin_refusal = false;
        assert_eq!(failing(&options, Duration::ZERO, |_| status(403, None)).await.0, 1);
    }

    #[test]
    fn jitter_stays_between_half_and_whole() {
        let pause = Duration::from_secs(1);
        assert_eq!(jittered(pause, 0), Duration::from_millis(500));
        assert_eq!(jittered(pause, 500), pause);
        assert_eq!(jittered(pause, 501), Duration::from_millis(500));
        assert!((0..100).map(|_| random()).any(|number| number != random()));
    }
}
