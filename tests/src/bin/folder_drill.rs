//! One installation, or removal, of a plugin's folder in a process of its own, which a drill can kill at any
//! fail point.
//!
//! `folder_drill SOURCE EXTENSIONS ID STAGING`. Options, after those four: `--remove` takes the folder out;
//! `--check` writes nothing; `--trace` prints every fail point; `--kill-at N` sends SIGKILL to itself at the
//! N-th, from 0; `--lacks STEP` and `--bars STEP` make that call fail as on a file system that does not know
//! it, or that another one begins at; `--flip OTHER` installs SOURCE and OTHER in turn, for ever.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use hubkit_configurators::file::Mode;
use hubkit_configurators::folder::{Install, Probe, Source, Step, install_with, remove_with};
use rustix::io::Errno;
use rustix::process::{Signal, getpid, kill_process};

#[derive(Default)]
struct Drill {
    seen: AtomicUsize,
    trace: bool,
    kill_at: Option<usize>,
    lacks: Vec<String>,
    bars: Vec<String>,
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
        let is = |names: &[String]| names.iter().any(|name| name == step.name());
        if is(&self.bars) {
            return Err(Errno::XDEV);
        }
        if is(&self.lacks) { Err(Errno::INVAL) } else { Ok(()) }
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(source), Some(extensions), Some(id), Some(staging)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return ExitCode::from(2);
    };
    let mut drill = Drill::default();
    let (mut removes, mut mode, mut other) = (false, Mode::Write, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--remove" => removes = true,
            "--check" => mode = Mode::CheckOnly,
            "--trace" => drill.trace = true,
            "--kill-at" => drill.kill_at = words.next().and_then(|number| number.parse().ok()),
            "--lacks" => drill.lacks.extend(words.next()),
            "--bars" => drill.bars.extend(words.next()),
            "--flip" => other = words.next(),
            _ => return ExitCode::from(2),
        }
    }
    let (extensions, staging) = (Path::new(&extensions), Path::new(&staging));
    let put = |source: &str| {
        let source = Source::Folder(Path::new(source));
        install_with(&Install { source, extensions, id: &id, staging, mode }, &drill)
    };
    if let Some(other) = other {
        loop {
            if put(&source).and_then(|_| put(&other)).is_err() {
                return ExitCode::from(1);
            }
        }
    }
    let result = if removes { remove_with(extensions, &id, staging, mode, &drill) } else { put(&source) };
    match result {
        Ok(done) => {
            for notice in &done.notices {
                let _ = writeln!(std::io::stderr(), "note: {notice}");
            }
            let _ = writeln!(std::io::stdout(), "{} swept {}", done.written.name(), done.swept);
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::from(error.exit_code())
        }
    }
}
