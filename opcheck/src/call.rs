//! A call of an op.

use std::fmt;

use oplink_api::{AttrValue, Tensor};

/// Elements of a tensor that a description shows.
const SHOWN: usize = 8;

/// A call of an op: attrs that do not follow from the inputs, and the inputs in order.
#[derive(Clone, Debug)]
pub struct OpCall {
    /// The op's name.
    pub op: String,
    /// Attrs by name; those that follow from the inputs or have defaults may be left out.
    pub attrs: Vec<(String, AttrValue)>,
    /// The inputs, those of list arguments one after the other.
    pub inputs: Vec<Tensor>,
}

impl OpCall {
    /// The attrs as calls take them.
    pub(crate) fn given_attrs(&self) -> Vec<(&str, AttrValue)> {
        self.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect()
    }

    /// The call with another value of an input.
    pub(crate) fn with_input(&self, at: usize, value: Tensor) -> Self {
        let mut call = self.clone();
        call.inputs[at] = value;
        call
    }

    /// The call with another value of an attr that it gives.
    pub(crate) fn with_attr(&self, at: usize, value: AttrValue) -> Self {
        let mut call = self.clone();
        call.attrs[at].1 = value;
        call
    }
}

impl fmt::Display for OpCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.op)?;
        for (at, input) in self.inputs.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            match input.num_elements() <= SHOWN {
                true => write!(f, "{comma}{input}")?,
                false => write!(f, "{comma}{}{}", input.dtype(), input.shape())?,
            }
        }
        f.write_str(")")?;
        self.attrs.iter().try_for_each(|(name, value)| write!(f, " {name}={value:?}"))
    }
}
