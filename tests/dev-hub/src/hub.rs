//! The running Hub: a listener on 127.0.0.1 and a thread of its own, so that whoever started it may block.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use hubkit_contract::hub_url::MCP_PATH;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::options::Options;
use crate::routes::Routes;
use crate::seen::{Log, Seen};

/// Pause after a failed `accept` (no descriptors left, say), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A running development Hub. It stops, and its port is free, when it is dropped.
#[derive(Debug)]
pub struct DevHub {
    address: SocketAddr,
    log: Log,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl DevHub {
    /// Starts a Hub; it answers from the moment this returns.
    ///
    /// # Errors
    /// The port is taken, or the system gives no socket or thread.
    pub async fn start(options: Options) -> io::Result<Self> {
        Self::start_blocking(options)
    }

    /// As [`DevHub::start`], for a caller without an async runtime.
    ///
    /// # Errors
    /// As [`DevHub::start`].
    pub fn start_blocking(options: Options) -> io::Result<Self> {
        let log = Log::default();
        let seen = log.clone();
        // Nothing is ever sent on `stop`: dropping it is the signal.
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("dev-hub".to_owned())
            .spawn(move || run(&options, seen, &bound, stopped))?;
        // The thread reports before it serves; it cannot end without having reported.
        let address = address.recv().map_err(io::Error::other)??;
        Ok(Self { address, log, stop: Some(stop), thread: Some(thread) })
    }

    /// Base URL, `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// URL of the MCP endpoint, `http://127.0.0.1:PORT/api/mcp`.
    #[must_use]
    pub fn mcp_url(&self) -> String {
        format!("{}{MCP_PATH}", self.url())
    }

    /// The requests answered so far (the last 10,000), oldest first, without keys and bodies.
    #[must_use]
    pub fn requests(&self) -> Vec<Seen> {
        self.log.snapshot()
    }

    /// Stops the Hub: open connections are cut, sessions end, the port is free when this returns.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for DevHub {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the server's thread has been reported by the panic hook already.
            let _ended = thread.join();
        }
    }
}

/// The server's thread. Its runtime goes when it returns, and every connection and session with it.
fn run(
    options: &Options,
    log: Log,
    bound: &mpsc::Sender<io::Result<SocketAddr>>,
    stopped: oneshot::Receiver<Infallible>,
) {
    let served = tokio::runtime::Builder::new_current_thread().enable_all().build().map(|runtime| {
        runtime.block_on(async {
            match bind(options.port).await {
                Ok((listener, address)) => {
                    let routes = Arc::new(Routes::new(options, log, address));
                    let _starter_gave_up = bound.send(Ok(address));
                    tokio::select! {
                        () = serve(listener, routes) => {}
                        _ = stopped => {}
                    }
                }
                Err(error) => {
                    let _starter_gave_up = bound.send(Err(error));
                }
            }
        });
    });
    if let Err(error) = served {
        let _starter_gave_up = bound.send(Err(error));
    }
}

async fn bind(port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

async fn serve(listener: TcpListener, routes: Arc<Routes>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let routes = Arc::clone(&routes);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let routes = Arc::clone(&routes);
                async move { Ok::<_, Infallible>(routes.answer(request).await) }
            });
            let mut http = hyper::server::conn::http1::Builder::new();
            http.timer(TokioTimer::new());
            // A client that goes away in the middle is its own business.
            let _ended = http.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
