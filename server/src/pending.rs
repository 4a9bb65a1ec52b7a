//! How many connections each address has that have not completed a handshake.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The connections that have not completed a handshake, counted by address.
#[derive(Debug)]
pub(crate) struct PendingConnections {
    most: usize,
    by_address: Mutex<HashMap<IpAddr, usize>>,
}

/// One of them, until its handshake is completed or it is dropped.
#[derive(Debug)]
pub(crate) struct Pending {
    all: Arc<PendingConnections>,
    address: IpAddr,
    is_counted: AtomicBool,
}

impl PendingConnections {
    /// At most so many of one address.
    pub(crate) fn new(most: usize) -> Arc<PendingConnections> {
        Arc::new(PendingConnections { most, by_address: Mutex::default() })
    }

    /// Counts one more; `None` if the address has as many as it may.
    pub(crate) fn admit(self: &Arc<PendingConnections>, address: IpAddr) -> Option<Pending> {
        let address = network(address);
        let mut by_address = self.lock();
        let count = by_address.get(&address).copied().unwrap_or(0);
        if count >= self.most {
            return None;
        }
        by_address.insert(address, count + 1);
        Some(Pending { all: Arc::clone(self), address, is_counted: AtomicBool::new(true) })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    /// The handshake is completed.
    pub(crate) fn complete(&self) {
        if !self.is_counted.swap(false, Ordering::Relaxed) {
            return;
        }
        if let Entry::Occupied(mut entry) = self.all.lock().entry(self.address) {
            *entry.get_mut() -= 1;
            if *entry.get() == 0 {
                entry.remove();
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.complete();
    }
}

/// What one machine has: an address, or the lower half of those of version 6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn each_address_has_its_own_and_gets_them_back() {
        let all = PendingConnections::new(2);
        let first = all.admit(address("10.0.0.1")).unwrap();
        let _second = all.admit(address("::ffff:10.0.0.1")).unwrap();
        assert!(all.admit(address("10.0.0.1")).is_none());
        let other = all.admit(address("10.0.0.2"));
        assert!(other.is_some());
        first.complete();
        drop(first);
        assert!(all.admit(address("10.0.0.1")).is_some());
        drop(other);
        // Addresses that have none cost no memory.
        assert_eq!(all.lock().len(), 1);
    }

    #[test]
    fn a_machine_does_not_become_many_by_its_address() {
        let all = PendingConnections::new(1);
        let _one = all.admit(address("2001:db8:1:2::1")).unwrap();
        assert!(all.admit(address("2001:db8:1:2:3::9")).is_none());
        assert!(all.admit(address("2001:db8:1:3::1")).is_some());
    }
}
