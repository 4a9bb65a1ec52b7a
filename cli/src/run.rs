//! The loop: events to the state, effects to the world, the state to the screen.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, bail};
use ratatui::crossterm::terminal;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use crate::app::{App, AppOptions};
use crate::event::{Effect, Event, LinkEvent};
use crate::link::Link;
use crate::screen::Screen;
use crate::{input, view};

/// Runs the client on this process's terminal until it ends.
///
/// # Errors
/// When there is no terminal, it is lost, or the server cannot be talked to at all.
pub fn run(options: AppOptions, mouse: bool) -> anyhow::Result<ExitCode> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("this is a full-screen client: standard input and output must be a terminal");
    }
    // An error would be that somebody chose one before, which is as good.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    // On one thread, the main one: the signal that stops the client stops it at once.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let ended = runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let screen = Screen::enter(mouse).context("cannot take the terminal over")?;
        let mut client = Client::begin(options, screen)?;
        let ended = client.run(&mut signals).await;
        client.end().await;
        ended
    });
    // A look-up of a name may still be under way; it is not waited for.
    runtime.shutdown_background();
    ended
}

/// The state and what it acts through.
struct Client {
    app: App,
    screen: Screen,
    keys: mpsc::Receiver<Event>,
    link: Option<Link>,
    began: Instant,
}

/// Something happened.
enum Happened {
    Event(Event),
    /// The terminal is gone.
    TerminalLost,
    /// The process is to end.
    Ended(SignalKind),
    /// The process was stopped and is continued.
    Continued,
    /// The terminal may have another size.
    Resized,
}

impl Client {
    fn begin(options: AppOptions, screen: Screen) -> anyhow::Result<Client> {
        let size = terminal::size().context("the terminal has no size")?;
        let keys = input::read_terminal().context("cannot read the terminal")?;
        Ok(Client { app: App::new(options, size), screen, keys, link: None, began: Instant::now() })
    }

    async fn run(&mut self, signals: &mut Signals) -> anyhow::Result<ExitCode> {
        let mut effects = self.app.begin();
        loop {
            for effect in effects {
                match effect {
                    Effect::Connect => self.link = Some(Link::open(&self.app.address)),
                    Effect::Send(message) => {
                        if let Some(link) = &self.link {
                            link.send(message);
                        }
                    }
                    Effect::Suspend => self.screen.suspend().context(LOST)?,
                    Effect::Repaint => self.screen.repaint().context(LOST)?,
                    Effect::Quit => return Ok(ExitCode::SUCCESS),
                    Effect::Fail(why) => bail!(why),
                }
            }
            // What came meanwhile is taken before it is drawn.
            effects = match self.waiting() {
                Some(event) => self.app.update(event, self.began.elapsed()),
                None => {
                    self.draw()?;
                    match self.happen(signals).await {
                        Happened::Event(event) => self.app.update(event, self.began.elapsed()),
                        Happened::Resized => self.resized()?,
                        Happened::Continued => {
                            self.screen.resume().context(LOST)?;
                            self.resized()?
                        }
                        Happened::TerminalLost => bail!(LOST),
                        Happened::Ended(signal) => {
                            let code = 128 + u8::try_from(signal.as_raw_value()).unwrap_or(0);
                            return Ok(ExitCode::from(code));
                        }
                    }
                }
            };
        }
    }

    /// Gives the terminal back, then takes leave of the server.
    async fn end(self) {
        let Client { screen, link, .. } = self;
        drop(screen);
        if let Some(link) = link {
            link.close().await;
        }
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let app = &self.app;
        self.screen.terminal().draw(|frame| view::draw(app, frame)).context(LOST)?;
        Ok(())
    }

    fn resized(&mut self) -> anyhow::Result<Vec<Effect>> {
        let (columns, rows) = terminal::size().context(LOST)?;
        Ok(self.app.update(Event::Resize(columns, rows), self.began.elapsed()))
    }

    /// An event that has come already.
    fn waiting(&mut self) -> Option<Event> {
        if let Ok(event) = self.keys.try_recv() {
            return Some(event);
        }
        self.link.as_mut().and_then(Link::next_now).map(Event::Link)
    }

    /// What happens next.
    async fn happen(&mut self, signals: &mut Signals) -> Happened {
        let tick = self.app.next_tick().map(|at| (self.began + at).into());
        let link = &mut self.link;
        tokio::select! {
            biased;
            signal = signals.next() => signal,
            key = self.keys.recv() => key.map_or(Happened::TerminalLost, Happened::Event),
            event = heard(link) => Happened::Event(Event::Link(event)),
            () = async {
                match tick {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            } => Happened::Event(Event::Tick),
        }
    }
}

/// The next event of the connection; after its last one nothing more ever.
async fn heard(link: &mut Option<Link>) -> LinkEvent {
    if let Some(open) = link {
        if let Some(event) = open.next().await {
            return event;
        }
        *link = None;
    }
    std::future::pending().await
}

/// The signals that concern a client.
struct Signals {
    ending: Vec<(SignalKind, Signal)>,
    continued: Signal,
    resized: Signal,
}

impl Signals {
    fn listen() -> anyhow::Result<Signals> {
        let listen = |kind| signal(kind).context("cannot listen to signals");
        let ending = [
            SignalKind::terminate(),
            SignalKind::hangup(),
            SignalKind::interrupt(),
            SignalKind::quit(),
        ];
        let ending = ending.into_iter().map(|kind| Ok((kind, listen(kind)?)));
        Ok(Signals {
            ending: ending.collect::<anyhow::Result<_>>()?,
            continued: listen(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            resized: listen(SignalKind::window_change())?,
        })
    }

    async fn next(&mut self) -> Happened {
        let Signals { ending, continued, resized } = self;
        let ending = ending.iter_mut().map(|(kind, signal)| {
            Box::pin(async move {
                signal.recv().await;
                *kind
            })
        });
        tokio::select! {
            (kind, ..) = futures::future::select_all(ending) => Happened::Ended(kind),
            _ = continued.recv() => Happened::Continued,
            _ = resized.recv() => Happened::Resized,
        }
    }
}

const LOST: &str = "the terminal is gone";
