//! Topological order, and the cycles that prevent it.

/// The order of a set of nodes numbered from 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// Nodes that lie on no cycle and wait for none, each after those that it waits for; among free ones the lowest
    /// number first.
    pub(crate) sorted: Vec<u32>,
    /// Cycles, each as the path that leads back to its first node. Every node that is not sorted is on one of them or
    /// waits for one.
    pub(crate) cycles: Vec<Vec<u32>>,
}

/// Sorts nodes by what each waits for.
pub(crate) fn topological_order(predecessors: &[Vec<u32>]) -> Order {
    let count = predecessors.len();
    let mut successors = vec![Vec::new(); count];
    let mut waiting: Vec<usize> = vec![0; count];
    for (node, before) in predecessors.iter().enumerate() {
        waiting[node] = before.len();
        for &p in before {
            successors[p as usize].push(node as u32);
        }
    }
    let mut free: std::collections::BinaryHeap<std::cmp::Reverse<u32>> =
        (0..count as u32).filter(|&node| waiting[node as usize] == 0).map(std::cmp::Reverse).collect();
    let mut sorted = Vec::with_capacity(count);
    while let Some(std::cmp::Reverse(node)) = free.pop() {
        sorted.push(node);
        for &next in &successors[node as usize] {
            waiting[next as usize] -= 1;
            if waiting[next as usize] == 0 {
                free.push(std::cmp::Reverse(next));
            }
        }
    }
    let cycles = if sorted.len() == count { Vec::new() } else { find_cycles(predecessors, &waiting) };
    Order { sorted, cycles }
}

/// Walks back from each node that still waits; a walk that meets itself has found a cycle.
fn find_cycles(predecessors: &[Vec<u32>], waiting: &[usize]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut walk_of = vec![UNSEEN; predecessors.len()];
    let mut cycles = Vec::new();
    for start in (0..predecessors.len()).filter(|&node| waiting[node] > 0) {
        let mut path = vec![start as u32];
        while let Some(&node) = path.last() {
            match walk_of[node as usize] {
                UNSEEN => walk_of[node as usize] = start as u32,
                walk if walk == start as u32 => {
                    cycles.extend(closed(&path));
                    break;
                }
                _ => break,
            }
            let next = predecessors[node as usize].iter().find(|&&p| waiting[p as usize] > 0);
            path.extend(next);
        }
    }
    cycles
}

/// The end of a backward path that returned to where it was, as a forward path.
fn closed(path: &[u32]) -> Option<Vec<u32>> {
    let last = path.last()?;
    let first = path.iter().position(|node| node == last)?;
    Some(path[first..].iter().rev().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::topological_order;

    #[test]
    fn ties_go_by_number() {
        let order = topological_order(&[vec![2], vec![], vec![], vec![0, 1]]);
        assert_eq!(order.sorted, [1, 2, 0, 3]);
        assert!(order.cycles.is_empty());
    }

    #[test]
    fn each_cycle_is_reported_once() {
        let order = topological_order(&[vec![1], vec![0], vec![1], vec![3], vec![]]);
        assert_eq!(order.sorted, [4]);
        assert_eq!(order.cycles, [vec![0, 1, 0], vec![3, 3]]);
    }
}
