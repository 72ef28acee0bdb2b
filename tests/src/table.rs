//! A table of cases, each judged by itself, so that one that fails hides no other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Judges every case of a table, as many at a time as there are processors.
///
/// # Panics
/// When `judge` panicked for some case; all such cases are named.
pub fn each<T: Sync>(cases: &[(&str, T)], judge: impl Fn(&str, &T) + Sync) {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let work = || {
        while let Some((name, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if catch_unwind(AssertUnwindSafe(|| judge(name, case))).is_err()
                && let Ok(mut failed) = failed.lock()
            {
                failed.push((*name).to_owned());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failed = failed.into_inner().unwrap_or_default();
    failed.sort();
    assert!(failed.is_empty(), "{} of {} cases failed: {failed:?}", failed.len(), cases.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_hides_no_other_and_none_is_passed_over() {
        let seen = Mutex::new(Vec::new());
        let panic = catch_unwind(AssertUnwindSafe(|| {
            each(&[("a", 1), ("b", 2), ("c", 3)], |name, number| {
                seen.lock().unwrap().push(name.to_owned());
                assert_ne!(number % 2, 1);
            });
        }));
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        assert_eq!(seen, ["a", "b", "c"]);
        let said = panic.unwrap_err();
        assert_eq!(said.downcast_ref::<String>().unwrap(), r#"2 of 3 cases failed: ["a", "c"]"#);
    }
}
