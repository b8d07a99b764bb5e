//! What is said where a device's memory runs out.

use std::collections::BTreeMap;

use oplink_spec::sorting::sort_by_key;

use super::regions::User;
use crate::memory::MemoryStatistics;

/// Users that are named.
const NAMED: usize = 5;

/// Names the request, what is in use and held, and the nodes that have most.
pub(super) fn message<'a>(
    device: &str,
    bytes: usize,
    owner: &str,
    statistics: &MemoryStatistics,
    users: impl Iterator<Item = &'a User>,
) -> String {
    let MemoryStatistics { in_use, reserved, largest_free_block, limit, .. } = statistics;
    let asking = if owner.is_empty() { String::new() } else { format!(" by `{owner}`") };
    let limit = limit.map_or_else(String::new, |limit| format!(" of a limit of {limit}"));
    let mut message = format!(
        "{device} is out of memory: {bytes} bytes were asked for{asking}; {in_use} bytes are in use and {reserved} \
         held{limit}, the largest free block has {largest_free_block}"
    );
    let users = largest(users);
    if !users.is_empty() {
        message += &format!("; the largest users are {}", users.join(", "));
    }
    message
}

/// The owners of most bytes, the largest first.
fn largest<'a>(users: impl Iterator<Item = &'a User>) -> Vec<String> {
    let mut by_owner: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for user in users {
        let (bytes, blocks) = by_owner.entry(&user.owner).or_default();
        (*bytes, *blocks) = (*bytes + user.bytes, *blocks + 1);
    }
    let mut owners: Vec<_> = by_owner.into_iter().collect();
    sort_by_key(&mut owners, |(_, (bytes, _))| std::cmp::Reverse(*bytes));
    let shown = owners.into_iter().take(NAMED).map(|(owner, (bytes, blocks))| {
        let owner = if owner.is_empty() { "no node".to_owned() } else { format!("`{owner}`") };
        let in_blocks = if blocks == 1 { String::new() } else { format!(" in {blocks} blocks") };
        format!("{owner} with {bytes}{in_blocks}")
    });
    shown.collect()
}
