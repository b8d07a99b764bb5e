//! Staging areas in the order of arrival: `Stage`, `Unstage`, `StagePeek`, `StageSize` and `StageClear`.
//!
//! Nodes of one `container` and `shared_name` share an area, those without a name that of the node's name; its limits
//! are those of the node that makes it. A run waits where there is no room, or where what it asks for is not there, and
//! ends with an error when its step is cancelled before. Elements that do not have the outputs' number and dtypes are
//! an error.

use std::collections::VecDeque;

use oplink::AsyncKernelContext;
use oplink::prelude::*;
use oplink_ops::state::{Stage, StageClear, StagePeek, StageSize, Unstage};

use super::limits::{Limits, Place, area, bytes_of, place};
use crate::arguments::Scalar;
use crate::monitor::{Attempt, Monitor};
use oplink::params::InputParam;

/// A staging area in the order of arrival.
pub struct StagingArea(Monitor<Elements>);

struct Elements {
    limits: Limits,
    elements: VecDeque<Vec<Tensor>>,
    bytes: usize,
}

impl Resource for StagingArea {
    fn type_name(&self) -> &'static str {
        "staging area"
    }
}

/// `Stage`: puts an element behind the others. One that alone is larger than the limit is `ResourceExhausted`.
#[kernel(Stage, device = CPU, async)]
pub fn stage_cpu(run: AsyncKernelContext) {
    start(
        run,
        |run| place!(run, Stage),
        |run| {
            let mut element = run.inputs().to_vec();
            let bytes = bytes_of(&element);
            Ok(Box::new(move |area| match area.limits.have_room(Some(area.elements.len()), area.bytes, bytes) {
                Ok(false) => None,
                Ok(true) => {
                    area.bytes += bytes;
                    area.elements.push_back(std::mem::take(&mut element));
                    Some(Ok(Vec::new()))
                }
                Err(error) => Some(Err(error)),
            }))
        },
    );
}

/// `Unstage`: takes the first element out.
#[kernel(Unstage, device = CPU, async)]
pub fn unstage_cpu(run: AsyncKernelContext) {
    start(
        run,
        |run| place!(run, Unstage),
        |_| {
            Ok(Box::new(|area| {
                let element = area.elements.pop_front()?;
                area.bytes -= bytes_of(&element);
                Some(Ok(element))
            }))
        },
    );
}

/// `StagePeek`: the element at `index`, a scalar, which stays. A negative index is an error.
#[kernel(StagePeek, device = CPU, async)]
pub fn stage_peek_cpu(run: AsyncKernelContext) {
    start(
        run,
        |run| place!(run, StagePeek),
        |run| {
            let (inputs, _) = run.arguments::<StagePeek>()?;
            let index = Scalar::bind(&inputs.index).map_err(|error| error.context("input index"))?.0;
            let Ok(index) = usize::try_from(index) else { bail!("index must not be negative, it is {index}") };
            Ok(Box::new(move |area| area.elements.get(index).cloned().map(Ok)))
        },
    );
}

/// `StageSize`: the number of elements.
#[kernel(StageSize, device = CPU, async)]
pub fn stage_size_cpu(run: AsyncKernelContext) {
    start(
        run,
        |run| place!(run, StageSize),
        |_| Ok(Box::new(|area| Some(Ok(vec![Tensor::scalar(area.elements.len() as i32)])))),
    );
}

/// `StageClear`: lets all elements go.
#[kernel(StageClear, device = CPU, async)]
pub fn stage_clear_cpu(run: AsyncKernelContext) {
    start(
        run,
        |run| place!(run, StageClear),
        |_| {
            Ok(Box::new(|area| {
                area.elements.clear();
                area.bytes = 0;
                Some(Ok(Vec::new()))
            }))
        },
    );
}

/// Starts a run on the area that its node names.
fn start(
    run: AsyncKernelContext,
    place: impl FnOnce(&mut AsyncKernelContext) -> Result<Place>,
    prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<Attempt<Elements>>,
) {
    Monitor::start(run, |run| {
        let make = |limits| Ok(StagingArea(Monitor::new(Elements { limits, elements: VecDeque::new(), bytes: 0 })));
        let place = place(run)?;
        let area = area(run, "staging area", &place, make)?;
        Ok((area.0.clone(), prepare(run)?))
    });
}
