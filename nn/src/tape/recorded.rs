//! What a tape has recorded.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use oplink_api::NodeInfo;

use crate::value::{Id, Value};

/// One call.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) node: Arc<NodeInfo>,
    pub(super) inputs: Vec<Value>,
    pub(super) outputs: Vec<Value>,
    /// Whether it is the gradient of a call of functions, through which no gradient passes.
    pub(super) is_opaque: bool,
}

/// The calls that depend on what is watched, in order.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) is_persistent: bool,
    is_spent: bool,
    /// What is watched, and what depends on it.
    watched: HashSet<Id>,
    records: Vec<Rc<Record>>,
}

impl Recorded {
    pub(super) fn new(is_persistent: bool) -> Self {
        Self { is_persistent, is_spent: false, watched: HashSet::new(), records: Vec::new() }
    }

    pub(super) fn watch(&mut self, value: &Value) {
        self.watched.extend(value.id());
    }

    pub(super) fn record(&mut self, record: &Rc<Record>) {
        let depends = record.inputs.iter().any(|input| input.id().is_some_and(|id| self.watched.contains(&id)));
        if depends {
            let differentiable = record.outputs.iter().filter(|output| output.is_differentiable());
            self.watched.extend(differentiable.filter_map(Value::id));
            self.records.push(record.clone());
        }
    }

    /// The records, and what is watched: of a tape that is not persistent once.
    pub(super) fn take(&mut self) -> Option<(Vec<Rc<Record>>, HashSet<Id>)> {
        if self.is_spent {
            return None;
        }
        if self.is_persistent {
            return Some((self.records.clone(), self.watched.clone()));
        }
        self.is_spent = true;
        Some((std::mem::take(&mut self.records), std::mem::take(&mut self.watched)))
    }
}
