//! Numbers of the fields of TensorFlow's messages that are read and written here: a flat table.

pub(crate) const NODE_NAME: u32 = 1;
pub(crate) const NODE_OP: u32 = 2;
pub(crate) const NODE_DEVICE: u32 = 4;
/// A map: entries with a key and a value.
pub(crate) const NODE_ATTR: u32 = 5;
pub(crate) const ENTRY_KEY: u32 = 1;
pub(crate) const ENTRY_VALUE: u32 = 2;

pub(crate) const VALUE_LIST: u32 = 1;
pub(crate) const VALUE_STRING: u32 = 2;
pub(crate) const VALUE_INT: u32 = 3;
pub(crate) const VALUE_FLOAT: u32 = 4;
pub(crate) const VALUE_BOOL: u32 = 5;
pub(crate) const VALUE_TYPE: u32 = 6;
pub(crate) const VALUE_SHAPE: u32 = 7;
pub(crate) const VALUE_TENSOR: u32 = 8;
pub(crate) const VALUE_PLACEHOLDER: u32 = 9;
pub(crate) const VALUE_FUNC: u32 = 10;

pub(crate) const LIST_STRING: u32 = 2;
pub(crate) const LIST_INT: u32 = 3;
pub(crate) const LIST_FLOAT: u32 = 4;
pub(crate) const LIST_BOOL: u32 = 5;
pub(crate) const LIST_TYPE: u32 = 6;
pub(crate) const LIST_SHAPE: u32 = 7;
pub(crate) const LIST_TENSOR: u32 = 8;
pub(crate) const LIST_FUNC: u32 = 9;

pub(crate) const SHAPE_DIM: u32 = 2;
pub(crate) const SHAPE_UNKNOWN_RANK: u32 = 3;
pub(crate) const DIM_SIZE: u32 = 1;

pub(crate) const TENSOR_DTYPE: u32 = 1;
pub(crate) const TENSOR_SHAPE: u32 = 2;
pub(crate) const TENSOR_CONTENT: u32 = 4;
pub(crate) const TENSOR_STRINGS: u32 = 8;

pub(crate) const FUNC_NAME: u32 = 1;
/// A map, as [`NODE_ATTR`].
pub(crate) const FUNC_ATTR: u32 = 2;
