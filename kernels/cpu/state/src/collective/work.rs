//! What is made of the inputs of all members.

use oplink::prelude::*;
use oplink_ops::state::{CollectiveFinal, CollectiveMerge};

use super::meeting::{Member, for_each_member, internal};
use super::reduce::reduce;
use crate::rows::join_into;

/// What members do together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Work {
    Reduce(CollectiveMerge, CollectiveFinal),
    Gather,
    /// One member sends, the others receive.
    Broadcast {
        sends: bool,
    },
    AllToAll,
    /// The members make a group.
    Group,
}

impl Work {
    /// Whether members that do this and that belong together.
    pub(super) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Broadcast { .. }, Self::Broadcast { .. }) => true,
            _ => self == other,
        }
    }

    /// The outputs of each member, in the order of the members.
    ///
    /// # Errors
    /// Not just one member sends; inputs do not have a row for each member.
    pub(super) fn outputs(self, members: &[Member]) -> Result<Vec<Vec<Tensor>>> {
        match self {
            Self::Reduce(merge, then) => {
                let reduced = reduce(merge, then, members)?;
                for_each_member(members, |_| Ok(reduced.clone()))
            }
            Self::Gather => {
                let gathered = join(inputs(members), members[0].dtype)?;
                for_each_member(members, |_| Ok(gathered.clone()))
            }
            Self::Broadcast { .. } => {
                let sent = sent(members)?;
                for_each_member(members, |_| Ok(sent.clone()))
            }
            Self::AllToAll => {
                let (count, shape) = (members.len(), &members[0].shape);
                ensure!(
                    shape.first() == Some(&count),
                    "the inputs must have a row for each of the {count} members, their shape is {shape}"
                );
                // The rows are for the members in the order of their devices, and come in that of the members.
                let mut order: Vec<usize> = (0..count).collect();
                order.sort_by(|&a, &b| members[a].device.cmp(&members[b].device));
                for_each_member(members, |at| {
                    let row = order.iter().position(|&member| member == at).unwrap_or(at);
                    let rows = inputs(members).map(|input| input.slice(row, row + 1)).collect::<Result<Vec<_>>>()?;
                    join(rows.iter(), members[0].dtype)
                })
            }
            Self::Group => {
                let twice = members.windows(2).find(|pair| pair[0].place == pair[1].place);
                if let Some(pair) = twice {
                    bail!("two members of the group {:?} have the place {:?}", pair[0].keys, pair[0].place)
                }
                let handles: Vec<&Tensor> = inputs(members).collect();
                for_each_member(members, |at| Ok(handles[at].clone()))
            }
        }
    }
}

fn inputs(members: &[Member]) -> impl Iterator<Item = &Tensor> + Clone {
    members.iter().filter_map(|member| member.input.as_ref())
}

/// What the one member sends that does.
fn sent(members: &[Member]) -> Result<Tensor> {
    let mut sent = inputs(members);
    match (sent.next(), sent.next()) {
        (Some(tensor), None) => Ok(tensor.clone()),
        (None, _) => {
            Err(internal(format!("none of the {} members sends: one must, and the others receive", members.len())))
        }
        (Some(_), Some(_)) => Err(internal("several members send: one must, and the others receive".to_owned())),
    }
}

/// The rows of all tensors, which have one shape.
fn join<'a>(tensors: impl Iterator<Item = &'a Tensor> + Clone, dtype: DType) -> Result<Tensor> {
    let Some(first) = tensors.clone().next() else { bail!("there are no tensors to join") };
    let Some((&rows, row)) = first.shape().split_first() else { bail!("a scalar has no rows to join") };
    let pieces: Vec<(Option<&Tensor>, usize)> = tensors.map(|tensor| (Some(tensor), tensor.num_elements())).collect();
    let mut joined = Tensor::zeros(dtype, [&[rows.saturating_mul(pieces.len())], row].concat())?;
    join_into(&mut joined, &pieces)?;
    Ok(joined)
}
