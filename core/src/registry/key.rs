//! What a kernel's lookup compares: the dtypes of its entries packed into one number each.
//!
//! A key has a byte for each constrained type attr, in the order of the attrs' positions in the op.

use oplink_api::descriptors::KernelDescriptor;
use oplink_api::{AttrValue, DType, NodeInfo, OpSpec};
use oplink_spec::sorting::sort;
use smallvec::SmallVec;

/// Type attrs that one kernel may constrain.
pub(super) const MAX_TYPE_ATTRS: usize = 16;
/// Stands where a list of types is mixed; no dtype has this number.
const MIXED: u8 = u8::MAX;

/// The constraints of one kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct KernelKeys {
    /// Positions in the op's attrs, ascending.
    pub(super) positions: SmallVec<[u16; 4]>,
    /// For each constrained attr in that order, its place in the descriptor's `type_attrs`.
    order: SmallVec<[u16; 4]>,
    /// One for each entry of the descriptor.
    pub(super) keys: SmallVec<[u128; 4]>,
}

/// What a node asks for: the bytes of `key` under `mask` must agree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    key: u128,
    mask: u128,
}

impl KernelKeys {
    /// Keys of a kernel whose type attrs the op has and whose entries have as many dtypes.
    pub(super) fn new(kernel: &KernelDescriptor, op: &OpSpec) -> Self {
        let position = |name: &str| op.attrs.iter().position(|attr| attr.name == name).unwrap_or(0) as u16;
        let mut pairs: SmallVec<[(u16, u16); 4]> =
            kernel.type_attrs.iter().enumerate().map(|(at, name)| (position(name), at as u16)).collect();
        sort(&mut pairs);
        let mut keys = Self {
            positions: pairs.iter().map(|p| p.0).collect(),
            order: pairs.iter().map(|p| p.1).collect(),
            keys: SmallVec::new(),
        };
        keys.keys = kernel.entries.iter().map(|entry| keys.pack(entry.dtypes)).collect();
        keys
    }

    /// The key of dtypes in the order of the descriptor's `type_attrs`.
    pub(super) fn pack(&self, dtypes: &[DType]) -> u128 {
        let byte = |&at: &u16| dtypes.get(usize::from(at)).map_or(0, |dtype| *dtype as u8);
        self.order.iter().map(byte).enumerate().fold(0, |key, (i, byte)| key | u128::from(byte) << (8 * i))
    }

    /// What the node's attrs ask of this kernel.
    #[inline]
    pub(super) fn wanted(&self, kernel: &KernelDescriptor, node: &NodeInfo) -> Wanted {
        let mut wanted = Wanted { key: 0, mask: 0 };
        for (i, (&position, &at)) in self.positions.iter().zip(&self.order).enumerate() {
            let value = node.attrs.at(usize::from(position), kernel.type_attrs[usize::from(at)]);
            if let Some(byte) = wanted_byte(value) {
                wanted.key |= u128::from(byte) << (8 * i);
                wanted.mask |= 0xff << (8 * i);
            }
        }
        wanted
    }

    /// The entry that serves what is wanted.
    #[inline]
    pub(super) fn find(&self, wanted: Wanted) -> Option<usize> {
        self.keys.iter().position(|&key| wanted.is_met_by(key))
    }
}

impl Wanted {
    #[inline]
    pub(super) fn is_met_by(self, key: u128) -> bool {
        key & self.mask == self.key
    }

    /// In how many attrs the key is not what is wanted.
    pub(super) fn distance(self, key: u128) -> usize {
        ((key & self.mask) ^ self.key).to_le_bytes().iter().filter(|&&byte| byte != 0).count()
    }

    /// Whether the attr at place `i` of the key is not what is wanted.
    pub(super) fn differs_at(self, key: u128, i: usize) -> bool {
        ((key & self.mask) ^ self.key) >> (8 * i) & 0xff != 0
    }
}

/// The dtype asked for; of a list, the dtype of all its elements. `None` where any will do: an empty list.
#[inline]
fn wanted_byte(value: Option<&AttrValue>) -> Option<u8> {
    match value {
        Some(AttrValue::Type(dtype)) => Some(*dtype as u8),
        Some(AttrValue::Types(dtypes)) => match dtypes.split_first() {
            Some((first, rest)) if rest.iter().all(|dtype| dtype == first) => Some(*first as u8),
            Some(_) => Some(MIXED),
            None => None,
        },
        Some(AttrValue::EmptyList) => None,
        _ => Some(MIXED),
    }
}
