//! Hosts apart: network namespaces with addresses of their own, joined by cables, and a line between
//! them that delays, loses and can be cut.
//!
//! The hosts are three namespaces, each on a cable to a fourth. There every worker's line ends in a
//! relay that passes packets on to the coordinator after 50 ms, and one in a hundred never. (The
//! kernel's `netem` does the same, but many kernels come without it.)

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use tokio::net::UdpSocket;

use crate::programs::{Coordinator, Place, Worker, reference, same_tables};

#[test]
fn hosts_with_delay_loss_and_a_cut_line_between_them_build_the_same_bytes() {
    let hosts = match Hosts::new(2) {
        Ok(hosts) => hosts,
        Err(why) => {
            println!("skipped: network namespaces cannot be made here: {why}");
            return;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let place = Place {
        namespace: Some(hosts.name(0)),
        listen: Some(format!("{}:{PORT}", host_address(0))),
        ..Place::default()
    };
    let mut coordinator = Coordinator::start_at(folder.path(), place);
    let lines: Vec<Line> = (1..=2).map(|host| Line::start(&hosts, host)).collect();
    let token = coordinator.token();
    let workers: Vec<Worker> = (1..=2)
        .map(|host| {
            let place = Place { namespace: Some(hosts.name(host)), ..Place::default() };
            let here = token_for(&token, router_address(host));
            Worker::start_at(folder.path(), host, &here, &place)
        })
        .collect();
    coordinator.build("3v2");
    // Cut in the middle of the class.
    let in_the_middle = |status: &serde_json::Value| {
        let mut classes = status["classes"].as_array().unwrap().iter();
        classes.any(|class| class["class"] == "3v2" && class["ply"].as_u64() > Some(3))
    };
    coordinator.until(Duration::from_secs(600), in_the_middle);
    lines.iter().for_each(|line| line.shared.cut.store(true, Ordering::Relaxed));
    let cut = Instant::now();
    let all_dead = |status: &serde_json::Value| {
        let mut workers = status["workers"].as_array().unwrap().iter();
        workers.all(|worker| worker["state"] == "dead")
    };
    coordinator.until(Duration::from_secs(25), all_dead);
    std::thread::sleep(CUT.saturating_sub(cut.elapsed()));
    lines.iter().for_each(|line| line.shared.cut.store(false, Ordering::Relaxed));
    coordinator.wait_for_build(Duration::from_secs(600));
    same_tables(&coordinator.tables(), &reference("3v2"));
    for line in &lines {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (passed, lost) = (count(&line.shared.passed), count(&line.shared.lost));
        println!("{passed} packets passed, {lost} lost");
        assert!(passed > 0 && lost > 0);
    }
    drop(workers);
}

/// A token that leads to another address of the same coordinator.
fn token_for(token: &str, address: Ipv4Addr) -> String {
    let token: boombots_cluster_protocol::JoinToken = token.parse().unwrap();
    let address = format!("{address}:{PORT}");
    boombots_cluster_protocol::JoinToken { address, ..token }.to_string()
}

/// Namespaces and cables, which are gone when the value is.
struct Hosts {
    count: usize,
}

impl Hosts {
    /// A coordinator's host, hosts for so many workers, and what joins them.
    fn new(workers: usize) -> Result<Self, String> {
        let hosts = Self { count: workers + 1 };
        let router = hosts.router();
        ip(&["netns", "add", &router])?;
        for host in 0..hosts.count {
            let (name, near, far) = (hosts.name(host), format!("r{host}"), "eth0");
            ip(&["netns", "add", &name])?;
            let ends = ["link", "add", &near, "netns", &router, "type", "veth", "peer", "name"];
            ip(&[&ends[..], &[far, "netns", &name]].concat())?;
            let addresses =
                [(&router, &near[..], router_address(host)), (&name, far, host_address(host))];
            for (namespace, device, address) in addresses {
                let inside = |arguments: &[&str]| ip(&[&["-n", namespace], arguments].concat());
                inside(&["addr", "add", &format!("{address}/24"), "dev", device])?;
                inside(&["link", "set", device, "up"])?;
            }
            ip(&["-n", &name, "link", "set", "lo", "up"])?;
        }
        Ok(hosts)
    }

    fn name(&self, host: usize) -> String {
        format!("bbhost{}-{host}", std::process::id())
    }

    fn router(&self) -> String {
        format!("bbline{}", std::process::id())
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in 0..self.count {
            let _ = ip(&["netns", "del", &self.name(host)]);
        }
        let _ = ip(&["netns", "del", &self.router()]);
    }
}

/// Addresses set aside for documentation: they are nobody's.
fn host_address(host: usize) -> Ipv4Addr {
    let [a, b, c] = NETWORKS[host];
    Ipv4Addr::new(a, b, c, 2)
}

/// The other end of a host's cable.
fn router_address(host: usize) -> Ipv4Addr {
    let [a, b, c] = NETWORKS[host];
    Ipv4Addr::new(a, b, c, 1)
}

const NETWORKS: [[u8; 3]; 3] = [[192, 0, 2], [198, 51, 100], [203, 0, 113]];

fn ip(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(arguments).output();
    let output = output.map_err(|error| format!("ip: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// What a worker's packets go through on their way to the coordinator and back.
struct Line {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    cut: AtomicBool,
    ended: AtomicBool,
    passed: AtomicU64,
    lost: AtomicU64,
    random: AtomicU64,
}

impl Line {
    fn start(hosts: &Hosts, host: usize) -> Self {
        let shared = Arc::new(Shared::default());
        shared.random.store(host as u64, Ordering::Relaxed);
        let (ours, namespace) = (Arc::clone(&shared), hosts.router());
        let (ready, is_ready) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let namespace = std::fs::File::open(format!("/run/netns/{namespace}")).unwrap();
            let network = Some(LinkNameSpaceType::Network);
            move_into_link_name_space(std::os::fd::AsFd::as_fd(&namespace), network).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let near = SocketAddr::from((router_address(host), PORT));
                let near = Arc::new(UdpSocket::bind(near).await.unwrap());
                ready.send(()).unwrap();
                relay(near, ours).await;
            });
        });
        is_ready.recv().unwrap();
        Self { shared }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
    }
}

/// Carries packets between whoever sends to `near` and the coordinator, until the line ends.
async fn relay(near: Arc<UdpSocket>, shared: Arc<Shared>) {
    let mut far: HashMap<SocketAddr, Arc<UdpSocket>> = HashMap::new();
    let mut buffer = vec![0; 1 << 16];
    while !shared.ended.load(Ordering::Relaxed) {
        let packet = near.recv_from(&mut buffer);
        let Ok(Ok((len, from))) = tokio::time::timeout(Duration::from_secs(1), packet).await else {
            continue;
        };
        let socket = match far.entry(from) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(new) => {
                let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).await.unwrap();
                socket.connect((host_address(0), PORT)).await.unwrap();
                let socket = Arc::clone(new.insert(Arc::new(socket)));
                tokio::spawn(back(
                    Arc::clone(&socket),
                    Arc::clone(&near),
                    from,
                    Arc::clone(&shared),
                ));
                socket
            }
        };
        let bytes = buffer[..len].to_vec();
        later(&shared, async move { drop(socket.send(&bytes).await) });
    }
}

async fn back(far: Arc<UdpSocket>, near: Arc<UdpSocket>, to: SocketAddr, shared: Arc<Shared>) {
    let mut buffer = vec![0; 1 << 16];
    while !shared.ended.load(Ordering::Relaxed) {
        // Where nobody listens yet the socket says so, and the next packet may fare better.
        let packet = tokio::time::timeout(Duration::from_secs(1), far.recv(&mut buffer)).await;
        let Ok(Ok(len)) = packet else { continue };
        let (near, bytes) = (Arc::clone(&near), buffer[..len].to_vec());
        later(&shared, async move { drop(near.send_to(&bytes, to).await) });
    }
}

/// Lets a packet arrive after the delay, unless it is lost.
fn later(shared: &Arc<Shared>, arrive: impl Future<Output = ()> + Send + 'static) {
    let mut random = shared.random.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    random = (random ^ random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    random = (random ^ random >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    if shared.cut.load(Ordering::Relaxed) || (random >> 32).is_multiple_of(100) {
        shared.lost.fetch_add(1, Ordering::Relaxed);
        return;
    }
    shared.passed.fetch_add(1, Ordering::Relaxed);
    tokio::spawn(async move {
        tokio::time::sleep(DELAY).await;
        arrive.await;
    });
}

const PORT: u16 = 9008;
const DELAY: Duration = Duration::from_millis(50);
const CUT: Duration = Duration::from_secs(30);
