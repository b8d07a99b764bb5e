//! The elements of a queue in the order in which they leave it.

use std::collections::{BTreeMap, VecDeque};

use oplink::Tensor;

use super::declaration::Order;
use oplink_ops::philox::{Philox, Singles};

/// The components of an element.
pub(super) type Row = Vec<Tensor>;

/// The elements that are in a queue.
pub(super) enum Store {
    Line(VecDeque<Row>),
    Shuffled { rows: Vec<Row>, numbers: Box<Singles> },
    Sorted { rows: BTreeMap<(i64, u64), Row>, arrivals: u64 },
}

impl Store {
    pub(super) fn new(order: Order) -> Self {
        match order {
            Order::Fifo | Order::PaddedFifo => Self::Line(VecDeque::new()),
            Order::Shuffled { seeds, .. } => Self::Shuffled {
                rows: Vec::new(),
                numbers: Box::new(Singles::new(Philox::from_seeds(seeds.0, seeds.1))),
            },
            Order::Sorted => Self::Sorted { rows: BTreeMap::new(), arrivals: 0 },
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Line(rows) => rows.len(),
            Self::Shuffled { rows, .. } => rows.len(),
            Self::Sorted { rows, .. } => rows.len(),
        }
    }

    pub(super) fn push(&mut self, row: Row) {
        match self {
            Self::Line(rows) => rows.push_back(row),
            Self::Shuffled { rows, .. } => rows.push(row),
            Self::Sorted { rows, arrivals } => {
                *arrivals += 1;
                rows.insert((priority(&row), *arrivals), row);
            }
        }
    }

    pub(super) fn pop(&mut self) -> Option<Row> {
        match self {
            Self::Line(rows) => rows.pop_front(),
            Self::Shuffled { rows, .. } if rows.is_empty() => None,
            Self::Shuffled { rows, numbers } => {
                let at = numbers.draw() as usize % rows.len();
                Some(rows.swap_remove(at))
            }
            Self::Sorted { rows, .. } => rows.pop_first().map(|(_, row)| row),
        }
    }

    /// Gives elements back that were popped, the last popped last.
    pub(super) fn put_back(&mut self, popped: Vec<Row>) {
        match self {
            Self::Line(rows) => popped.into_iter().rev().for_each(|row| rows.push_front(row)),
            Self::Shuffled { rows, .. } => rows.extend(popped),
            Self::Sorted { rows, .. } => {
                // Before those of the same priority that came later.
                rows.extend(popped.into_iter().enumerate().map(|(at, row)| ((priority(&row), at as u64), row)));
            }
        }
    }
}

fn priority(row: &Row) -> i64 {
    row.first().and_then(|tensor| tensor.to_scalar().ok()).unwrap_or(0)
}
