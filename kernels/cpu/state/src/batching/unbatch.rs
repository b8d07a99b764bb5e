//! `Unbatch`: parts a tensor that was made of a batch, and hands the parts to their calls. Every dtype.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oplink::AsyncKernelContext;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::state::Unbatch;

use crate::monitor::{Limit, Monitor};
use crate::named::{Unnamed, info};

/// The parts that wait for their calls, by the calls' ids, and the calls that wait for their parts.
struct Unbatched {
    parts: Monitor<HashMap<i64, (Instant, Tensor)>>,
    waiting: Arc<Mutex<HashSet<i64>>>,
}

impl Resource for Unbatched {
    fn type_name(&self) -> &'static str {
        "parts of batches"
    }
}

/// A call that waits for its part.
struct Waiting {
    id: i64,
    ids: Arc<Mutex<HashSet<i64>>>,
}

impl Waiting {
    fn new(id: i64, ids: &Arc<Mutex<HashSet<i64>>>) -> Result<Self> {
        if !ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id) {
            let message = format!("another run waits for the part of the call {id} already");
            return Err(Error::new(Code::AlreadyExists, ErrorKind::InvalidArgument, message));
        }
        Ok(Self { id, ids: ids.clone() })
    }

    fn id(&self) -> i64 {
        self.id
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// `Unbatch`: keeps the parts of other calls for `timeout_micros`, and waits for its own so long at most.
#[kernel(Unbatch, device = CPU, async, T = any)]
pub fn unbatch_cpu(run: AsyncKernelContext) {
    Monitor::start_within(run, |run| {
        let node = run.node().clone();
        let resources = run.step()?.resources().clone();
        let (inputs, attrs) = run.arguments::<Unbatch>()?;
        let time = Duration::from_micros(u64::try_from(attrs.timeout_micros).unwrap_or(0));
        let resource = info(&node, attrs.container, attrs.shared_name, "parts of batches", Unnamed::NodeName)?;
        let make = || Ok(Unbatched { parts: Monitor::new(HashMap::new()), waiting: Arc::default() });
        let resource = resources.handle(resource).get_or_create(make)?;
        let id = call_id(&inputs.id)?;
        let index = Index::of(&inputs.batch_index)?;
        let parts = index.parts(&inputs.batched_tensor)?;
        let waiting = Waiting::new(id, &resource.waiting)?;
        resource.parts.with(|kept| {
            let now = Instant::now();
            kept.retain(|_, (since, _)| now.saturating_duration_since(*since) <= time);
            kept.extend(parts.into_iter().map(|(id, part)| (id, (now, part))));
        });
        let attempt = move |kept: &mut HashMap<i64, (Instant, Tensor)>| {
            let (_, part) = kept.remove(&waiting.id())?;
            Some(Ok(vec![part]))
        };
        let message = format!("the part of the call {id} did not come within timeout_micros");
        let error = Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, message);
        Ok((resource.parts.clone(), Box::new(attempt), Some(Limit { time, error })))
    });
}

/// The id of a call.
pub(super) fn call_id(id: &Tensor) -> Result<i64> {
    let shape = id.shape();
    ensure!(id.rank() == 0, "id must be a scalar, it has the shape {shape}");
    id.to_scalar()
}

/// Whose rows a batch has: for each call its id, and where its rows start and end.
pub(super) struct Index<'a>(&'a [i64]);

impl<'a> Index<'a> {
    /// # Errors
    /// There are not three numbers a call.
    pub(super) fn of(index: &'a Tensor) -> Result<Self> {
        let shape = index.shape();
        ensure!(
            shape.len() == 2 && shape[1] == 3,
            "batch_index must be a matrix of three columns, its shape is {shape}"
        );
        Ok(Self(index.as_slice()?))
    }

    /// The ids of the calls.
    pub(super) fn ids(&self) -> impl Iterator<Item = i64> {
        self.0.chunks_exact(3).map(|row| row[0])
    }

    /// The rows of each call, one behind the other, as many as the index tells; what is behind them is padding.
    fn parts(&self, batched: &Tensor) -> Result<Vec<(i64, Tensor)>> {
        let shape = batched.shape();
        let Some(&rows) = shape.first() else { bail!("batched_tensor must have rows, it is a scalar") };
        let calls = self.0.len() / 3;
        ensure!(calls <= rows, "batch_index is of {calls} calls, batched_tensor has {rows} rows");
        let (mut parts, mut first) = (try_vec(calls)?, 0usize);
        for row in self.0.chunks_exact(3) {
            let length = row[2].checked_sub(row[1]).and_then(|length| usize::try_from(length).ok());
            let end = length.and_then(|length| first.checked_add(length)).filter(|&end| end <= rows);
            let Some(end) = end else {
                bail!("batch_index has rows {} to {} for a call, batched_tensor has {rows} rows", row[1], row[2])
            };
            parts.push((row[0], batched.slice(first, end)?));
            first = end;
        }
        Ok(parts)
    }
}
