//! Where members of a group wait for each other.

use std::collections::HashMap;

use oplink::AsyncKernelContext;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;

use super::work::Work;
use crate::monitor::{Attempt, Limit, Monitor};

/// The key of the group, and which collective of it.
pub(super) type Keys = (i32, Instance);

/// Which collective of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Instance {
    /// The one of this key.
    Key(i32),
    /// That of this number of a communicator.
    Next(u64),
    /// The one that makes the group.
    Group,
}

/// The place of a member in its group: places are in order, and each has one member.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Rank(i32),
    /// The name without its number, and the number: so are devices in their order.
    Device(String, u64),
}

impl Place {
    /// That of a device.
    pub(super) fn of_device(name: &str) -> Self {
        let (start, number) = name.rsplit_once(':').unwrap_or((name, ""));
        match number.parse() {
            Ok(number) => Self::Device(start.to_owned(), number),
            Err(_) => Self::Device(name.to_owned(), 0),
        }
    }
}

/// Who comes to a meeting, and for what.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) keys: Keys,
    pub(super) size: usize,
    pub(super) place: Place,
    /// The place of the device among devices.
    pub(super) device: Place,
    pub(super) work: Work,
    pub(super) dtype: DType,
    /// The shape of the input, or the one that is expected.
    pub(super) shape: Shape,
    pub(super) input: Option<Tensor>,
}

/// The meetings of a session.
struct Collectives(Monitor<Meetings>);

impl Resource for Collectives {
    fn type_name(&self) -> &'static str {
        "collectives"
    }
}

#[derive(Default)]
pub(super) struct Meetings {
    next: u64,
    /// Those that wait for members, by keys, the first ones first; each member with a number.
    open: HashMap<Keys, Vec<Vec<(u64, Member)>>>,
    /// What members get whose meeting is over.
    outcomes: HashMap<u64, Result<Vec<Tensor>>>,
}

impl Meetings {
    /// Takes a member in: its number.
    fn enter(&mut self, member: Member) -> u64 {
        let (number, keys) = (self.next, member.keys);
        self.next += 1;
        let meetings = self.open.entry(keys).or_default();
        // Two members of one rank that make a group are a mistake, which all are to hear of.
        let lacks = |meeting: &Vec<(u64, Member)>| {
            member.work == Work::Group || meeting.iter().all(|(_, other)| other.place != member.place)
        };
        let at = meetings.iter().position(lacks).unwrap_or_else(|| {
            meetings.push(Vec::new());
            meetings.len() - 1
        });
        let meeting = &mut meetings[at];
        meeting.push((number, member));
        let wanted = meeting.iter().map(|(_, member)| member.size).min().unwrap_or(1);
        if meeting.len() >= wanted {
            let members = meetings.remove(at);
            if meetings.is_empty() {
                self.open.remove(&keys);
            }
            self.hold(members);
        }
        number
    }

    /// Holds a meeting: an outcome for each member.
    fn hold(&mut self, mut members: Vec<(u64, Member)>) {
        members.sort_by(|(_, a), (_, b)| a.place.cmp(&b.place));
        let (numbers, members): (Vec<u64>, Vec<Member>) = members.into_iter().unzip();
        match agree(&members).and_then(|()| members[0].work.outputs(&members)) {
            Ok(outputs) => self.outcomes.extend(numbers.into_iter().zip(outputs.into_iter().map(Ok))),
            Err(error) => self.outcomes.extend(numbers.into_iter().map(|number| (number, Err(error.clone())))),
        }
    }

    /// Lets a member go that does not wait any longer.
    fn leave(&mut self, number: u64) {
        self.outcomes.remove(&number);
        self.open.retain(|_, meetings| {
            meetings.iter_mut().for_each(|meeting| meeting.retain(|(other, _)| *other != number));
            meetings.retain(|meeting| !meeting.is_empty());
            !meetings.is_empty()
        });
    }
}

/// An error where members do not want the same.
fn agree(members: &[Member]) -> Result<()> {
    let first = &members[0];
    let keys = first.keys;
    for other in &members[1..] {
        let differs = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
            format!("the members of the collective with the keys {keys:?} differ in {what}: {a:?} and {b:?}")
        };
        let message = if other.size != first.size {
            differs("the size of the group", &first.size, &other.size)
        } else if !other.work.is_like(first.work) {
            differs("what they do", &first.work, &other.work)
        } else if other.dtype != first.dtype {
            differs("dtype", &first.dtype, &other.dtype)
        } else if other.shape != first.shape {
            bail!("{}", differs("shape", &first.shape, &other.shape))
        } else {
            continue;
        };
        return Err(internal(message));
    }
    Ok(())
}

/// The error of members that do not fit each other.
#[cold]
pub(super) fn internal(message: String) -> Error {
    Error::new(Code::Internal, ErrorKind::InvalidArgument, message)
}

/// The seat of a member that waits; the member leaves when it is dropped before there is an outcome.
struct Seat {
    meetings: Monitor<Meetings>,
    number: Option<u64>,
}

impl Seat {
    /// Takes the seat of this number.
    fn take(&mut self, number: u64) {
        self.number = Some(number);
    }

    /// The outcome, with which the seat is left; `None` where there is none yet.
    fn leave_with_outcome(&mut self, meetings: &mut Meetings) -> Option<Result<Vec<Tensor>>> {
        let outcome = meetings.outcomes.remove(&self.number?)?;
        self.number = None;
        Some(outcome)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            self.meetings.with(|meetings| meetings.leave(number));
        }
    }
}

/// Lets a run meet the other members of what `prepare` makes of it; finishes it where that is an error. The run waits
/// so many seconds at most, or for any time where they are 0 or less.
pub(super) fn meet(run: AsyncKernelContext, prepare: impl FnOnce(&mut AsyncKernelContext) -> Result<(Member, f32)>) {
    Monitor::start_within(run, |run| {
        let name = "collectives".to_owned();
        let info = ResourceInfo { type_name: name.clone(), name, ..ResourceInfo::default() };
        let make = || Ok(Collectives(Monitor::new(Meetings::default())));
        let meetings = run.step()?.resources().handle(info).get_or_create(make)?.0.clone();
        let (member, seconds) = prepare(run)?;
        let limit = std::time::Duration::try_from_secs_f32(seconds).ok().filter(|time| !time.is_zero());
        let limit = limit.map(|time| Limit { time, error: timed_out(seconds, &member) });
        let (mut member, mut seat) = (Some(member), Seat { meetings: meetings.clone(), number: None });
        let attempt: Attempt<Meetings> = Box::new(move |meetings| {
            if let Some(member) = member.take() {
                seat.take(meetings.enter(member));
            }
            seat.leave_with_outcome(meetings)
        });
        Ok((meetings, attempt, limit))
    });
}

#[cold]
fn timed_out(seconds: f32, member: &Member) -> Error {
    let message = format!(
        "the other members of the collective with the keys {:?} did not come within {seconds} seconds; the group has \
         {} members",
        member.keys, member.size
    );
    Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, message)
}

/// A tensor for each member.
pub(super) fn for_each_member(
    members: &[Member],
    mut tensor: impl FnMut(usize) -> Result<Tensor>,
) -> Result<Vec<Vec<Tensor>>> {
    let mut tensors = try_vec(members.len())?;
    for at in 0..members.len() {
        tensors.push(vec![tensor(at)?]);
    }
    Ok(tensors)
}
