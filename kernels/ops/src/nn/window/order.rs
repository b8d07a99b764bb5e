//! Where the channels stand among the axes of images and volumes.

use oplink::prelude::*;

use crate::attrs::AxisOrder;

/// The order of the axes of images and volumes: channels after the others (`NHWC`, `NDHWC`), or after the batch
/// (`NCHW`, `NCDHW`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelOrder {
    /// Batch, rows, columns, channels.
    Last,
    /// Batch, channels, rows, columns.
    First,
}

impl ChannelOrder {
    /// That of the attr `data_format` of the op `op`.
    ///
    /// # Errors
    /// Channels are packed (code Unimplemented).
    pub fn of(op: &str, format: AxisOrder) -> Result<Self> {
        Self::of_format(format).ok_or_else(|| Error::unimplemented(format!("{op} with the data_format {format}")))
    }

    /// That of a data format; none where channels are packed.
    pub fn of_format(format: AxisOrder) -> Option<Self> {
        match format {
            AxisOrder::Nhwc | AxisOrder::Ndhwc => Some(Self::Last),
            AxisOrder::Nchw | AxisOrder::Ncdhw => Some(Self::First),
            AxisOrder::NchwVectC => None,
        }
    }

    /// What stands for each axis, with that of the channels last.
    pub fn to_last<V: Copy>(self, axes: &[V]) -> Vec<V> {
        let mut axes = axes.to_vec();
        if self == Self::First && axes.len() > 1 {
            axes[1..].rotate_left(1);
        }
        axes
    }

    /// What stands for each axis with that of the channels last, in this order.
    pub fn from_last<V: Copy>(self, axes: &[V]) -> Vec<V> {
        let mut axes = axes.to_vec();
        if self == Self::First && axes.len() > 1 {
            axes[1..].rotate_right(1);
        }
        axes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_go_last_and_back() {
        let first = ["batch", "channels", "rows", "columns"];
        let last = ["batch", "rows", "columns", "channels"];
        assert_eq!(ChannelOrder::First.to_last(&first), last);
        assert_eq!(ChannelOrder::First.from_last(&last), first);
        assert_eq!(ChannelOrder::Last.to_last(&last), last);
        assert_eq!(ChannelOrder::Last.from_last(&last), last);
    }
}
