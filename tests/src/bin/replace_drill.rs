//! One edit in a process of its own, which a drill can kill at any fail point.
//!
//! `replace_drill FILE LINE` puts LINE at the end of FILE unless it is there. Options, after those two:
//! `--trace` prints every fail point; `--kill-at N` sends SIGKILL to itself at the N-th, from 0;
//! `--lacks STEP` makes the file system refuse that call as one that it does not know; `--foreign LINE`
//! plays another program that adds LINE by a rename right before the first exchange or move; `--state DIR`
//! names a state directory. Instead of adding LINE at the end: `--first` adds it at the start, `--only` makes
//! it the whole content, `--keep` leaves the file as it is, `--remove` removes a file that does not hold it,
//! and `--flip` turns a file of equal letters into one of the next letter, for ever.

use std::convert::Infallible;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hubkit_configurators::file::{Current, EditError, Mode, Plan, Probe, Recovered, Step, Target, edit};
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

/// What the edit is to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Last,
    First,
    Only,
    Keep,
    Remove,
    Flip,
}

fn plan(aim: Aim, line: &str, current: Current<'_>) -> Plan<()> {
    let bytes = current.bytes.unwrap_or_default();
    if aim == Aim::Flip {
        let letter = if bytes.first() == Some(&b'a') { b'b' } else { b'a' };
        return Plan::Replace { bytes: vec![letter; bytes.len()], note: () };
    }
    let line = format!("{line}\n");
    let bytes = match aim {
        _ if bytes.split_inclusive(|byte| *byte == b'\n').any(|present| present == line.as_bytes()) => {
            return Plan::Keep(());
        }
        Aim::Keep | Aim::Flip => return Plan::Keep(()),
        Aim::Remove => return Plan::Remove { note: () },
        Aim::Last => [bytes, line.as_bytes()].concat(),
        Aim::First => [line.as_bytes(), bytes].concat(),
        Aim::Only => line.into_bytes(),
    };
    Plan::Replace { bytes, note: () }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(path), Some(line)) = (words.next(), words.next()) else { return ExitCode::from(2) };
    let mut drill = Drill { path: path.clone().into(), ..Drill::default() };
    let (mut aim, mut state) = (Aim::Last, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--trace" => drill.trace = true,
            "--first" => aim = Aim::First,
            "--only" => aim = Aim::Only,
            "--keep" => aim = Aim::Keep,
            "--remove" => aim = Aim::Remove,
            "--flip" => aim = Aim::Flip,
            "--state" => state = words.next().map(PathBuf::from),
            "--kill-at" => drill.kill_at = words.next().and_then(|number| number.parse().ok()),
            "--lacks" => drill.lacks.extend(words.next()),
            "--foreign" => drill.foreign = words.next(),
            _ => return ExitCode::from(2),
        }
    }
    let target = Target { state, ..Target::new(path, Mode::Write) };
    loop {
        match edit(&target, &drill, |current| Ok::<_, Infallible>(plan(aim, &line, current))) {
            Ok(_) if aim == Aim::Flip => {}
            Ok(outcome) => {
                let recovered = match outcome.recovered {
                    None => "",
                    Some(Recovered::Restored) => " restored",
                    Some(_) => " set aside",
                };
                let (written, swept) = (outcome.written.name(), outcome.swept);
                let _ = writeln!(std::io::stdout(), "{written} swept {swept}{recovered}");
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
