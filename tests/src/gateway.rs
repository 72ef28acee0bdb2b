//! A real OpenClaw gateway, from its start to its orderly end.
//!
//! Never here: what it is configured with.

#![expect(clippy::panic, reason = "a gateway that does not start must fail the test that asked for it")]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The longest wait for a start or an end. It takes seconds; this only keeps a run from hanging for ever.
const PATIENCE: Duration = Duration::from_secs(180);

/// Pause between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// A running gateway, on a free port of loopback. It is killed when it is dropped.
#[derive(Debug)]
pub struct Gateway {
    child: Child,
    address: SocketAddr,
    log: PathBuf,
}

impl Gateway {
    /// Starts the gateway that serves `home`, and waits until it calls itself ready. `openclaw` is whatever
    /// becomes OpenClaw's command line when it is given further arguments.
    ///
    /// # Panics
    /// When it ends instead, or never becomes ready; the message holds what it printed.
    #[must_use]
    pub fn start(mut openclaw: Command, home: &Path) -> Self {
        let address = free_address();
        let log = home.join("gateway.log");
        let printed = || File::options().create(true).append(true).open(&log).map(Stdio::from);
        let child = printed().and_then(|out| Ok((out, printed()?))).and_then(|(out, err)| {
            openclaw.args(["gateway", "run", "--bind", "loopback", "--port", &address.port().to_string()]);
            openclaw.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0).spawn()
        });
        let child = child.unwrap_or_else(|error| panic!("the gateway cannot be started: {error}"));
        let mut gateway = Self { child, address, log };
        let ended = gateway.wait_until(|gateway| is_ready(gateway.address));
        assert!(ended.is_none(), "the gateway ended before it was ready ({ended:?}):\n{}", gateway.printed());
        gateway
    }

    /// What it has printed so far.
    #[must_use]
    pub fn printed(&self) -> String {
        let bytes = std::fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Asks the gateway to end, waits for it, and returns what it has printed.
    ///
    /// # Panics
    /// When it does not end, or not with success.
    #[must_use]
    pub fn stop(mut self) -> String {
        if let Err(error) = kill_process(self.pid(), Signal::TERM) {
            panic!("the gateway cannot be asked to end ({error}):\n{}", self.printed());
        }
        let ended = self.wait_until(|_| false);
        let printed = self.printed();
        assert!(ended.is_some_and(|status| status.success()), "the gateway ended with {ended:?}:\n{printed}");
        printed
    }

    /// Waits until `reached`; the gateway's status if it ended first.
    fn wait_until(&mut self, reached: impl Fn(&Self) -> bool) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if reached(self) {
                return None;
            }
            assert!(start.elapsed() < PATIENCE, "the gateway keeps us waiting:\n{}", self.printed());
            std::thread::sleep(PAUSE);
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // The gateway runs below a launcher, so the whole group has to go.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _gone = kill_process_group(self.pid(), Signal::KILL);
            let _reaped = self.child.wait();
        }
    }
}

/// An address of loopback that nobody listens on.
fn free_address() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .unwrap_or_else(|error| panic!("there is no free port: {error}"))
}

/// Whether `/readyz` answers 200.
fn is_ready(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer.starts_with(b"HTTP/1.1 200 "))
    };
    ask().unwrap_or(false)
}
