//! One edit in a process of its own, which a drill can kill at any fail point.
//!
//! `replace_drill FILE LINE` puts LINE at the end of FILE unless it is there. Options, after those two:
//! `--trace` prints every fail point; `--kill-at N` sends SIGKILL to itself at the N-th, from 0;
//! `--lacks STEP` makes the file system refuse that call as one that it does not know; `--foreign LINE`
//! plays another program that adds LINE by a rename right before the first exchange or move; `--flip` instead
//! turns a file of equal letters into one of the next letter, for ever; `--remove` removes a file that does
//! not hold LINE.

use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hubkit_configurators::file::{Current, EditError, Mode, Plan, Probe, Step, Target, edit};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};

#[derive(Default)]
struct Drill {
    path: PathBuf,
    seen: AtomicUsize,
    trace: bool,
    kill_at: Option<usize>,
    lacks: Vec<String>,
    foreign: Option<String>,
    foreign_done: AtomicBool,
}

impl Probe for Drill {
    fn at(&self, step: Step) -> Result<(), Errno> {
        let seen = self.seen.fetch_add(1, Ordering::SeqCst);
        if self.trace {
            let _ = writeln!(std::io::stdout(), "{}", step.name());
        }
        if self.kill_at == Some(seen) {
            kill_process(getpid(), Signal::KILL)?;
            loop {
                std::thread::park();
            }
        }
        if let Some(line) = &self.foreign
            && matches!(step, Step::Exchange | Step::MoveAway)
            && !self.foreign_done.swap(true, Ordering::SeqCst)
        {
            foreign_write(&self.path, line).map_err(|_| Errno::IO)?;
        }
        if self.lacks.iter().any(|name| name == step.name()) { Err(Errno::INVAL) } else { Ok(()) }
    }
}

/// What another program does: a new file of its own, renamed over the old one.
fn foreign_write(path: &Path, line: &str) -> std::io::Result<()> {
    let mut bytes = fs::read(path)?;
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    let temp = path.with_extension("foreign");
    fs::write(&temp, bytes)?;
    fs::rename(&temp, path)
}

fn add_line(line: &str, current: Current<'_>) -> Plan<()> {
    let mut bytes = current.bytes.unwrap_or_default().to_vec();
    if bytes.split(|byte| *byte == b'\n').any(|present| present == line.as_bytes()) {
        return Plan::Keep(());
    }
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    Plan::Replace { bytes, note: () }
}

fn remove(line: &str, current: Current<'_>) -> Plan<()> {
    match add_line(line, current) {
        Plan::Replace { .. } => Plan::Remove { note: () },
        plan => plan,
    }
}

fn next_letter(current: Current<'_>) -> Plan<()> {
    let bytes = current.bytes.unwrap_or(b"a");
    let letter = if bytes.first() == Some(&b'a') { b'b' } else { b'a' };
    Plan::Replace { bytes: vec![letter; bytes.len()], note: () }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(path), Some(line)) = (words.next(), words.next()) else { return ExitCode::from(2) };
    let mut drill = Drill { path: path.clone().into(), ..Drill::default() };
    let (mut flip, mut goes) = (false, false);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--trace" => drill.trace = true,
            "--flip" => flip = true,
            "--remove" => goes = true,
            "--kill-at" => drill.kill_at = words.next().and_then(|number| number.parse().ok()),
            "--lacks" => drill.lacks.extend(words.next()),
            "--foreign" => drill.foreign = words.next(),
            _ => return ExitCode::from(2),
        }
    }
    let target = Target::new(path, Mode::Write);
    loop {
        let result = edit(&target, &drill, |current| {
            Ok::<_, Infallible>(match (flip, goes) {
                (true, _) => next_letter(current),
                (_, true) => remove(&line, current),
                _ => add_line(&line, current),
            })
        });
        match result {
            Ok(_) if flip => {}
            Ok(outcome) => {
                let _ = writeln!(std::io::stdout(), "{} swept {}", outcome.written.name(), outcome.swept);
                return ExitCode::SUCCESS;
            }
            Err(EditError::Plan(never)) => match never {},
            Err(EditError::File(error)) => {
                let _ = writeln!(std::io::stderr(), "{error}");
                return ExitCode::from(error.exit_code());
            }
        }
    }
}
