//! What kind of value an attr has, and how much room it takes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;

use oplink_abi::{TF_AttrMetadata, TF_AttrType, TF_Operation, attr_type};
use oplink_api::spec::ScalarKind;
use oplink_api::{AttrValue, NodeInfo, PartialShape};
use oplink_host::c_api;
use oplink_host::guard::text;

use super::value_of;
use crate::graph::operation_of;

/// The number of an attr's kind.
pub(crate) fn kind_number(kind: ScalarKind) -> TF_AttrType {
    match kind {
        ScalarKind::String => attr_type::STRING,
        ScalarKind::Int => attr_type::INT,
        ScalarKind::Float => attr_type::FLOAT,
        ScalarKind::Bool => attr_type::BOOL,
        ScalarKind::Type => attr_type::TYPE,
        ScalarKind::Shape => attr_type::SHAPE,
        ScalarKind::Tensor => attr_type::TENSOR,
        ScalarKind::Func => attr_type::FUNC,
    }
}

fn one(kind: TF_AttrType, total: Option<usize>) -> TF_AttrMetadata {
    TF_AttrMetadata { is_list: 0, list_size: -1, kind, total_size: total.map_or(-1, |total| total as i64) }
}

fn list(kind: TF_AttrType, count: usize, total: Option<usize>) -> TF_AttrMetadata {
    TF_AttrMetadata { is_list: 1, list_size: count as i64, kind, total_size: total.map_or(-1, |total| total as i64) }
}

fn metadata(value: &AttrValue, name: &str, info: &NodeInfo) -> TF_AttrMetadata {
    let ranks = |shapes: &[PartialShape]| Some(shapes.iter().filter_map(PartialShape::rank).sum());
    let filled = match value {
        AttrValue::String(v) => one(attr_type::STRING, Some(v.len())),
        AttrValue::Int(_) => one(attr_type::INT, None),
        AttrValue::Float(_) => one(attr_type::FLOAT, None),
        AttrValue::Bool(_) => one(attr_type::BOOL, None),
        AttrValue::Type(_) => one(attr_type::TYPE, None),
        AttrValue::Shape(v) => one(attr_type::SHAPE, v.rank()),
        AttrValue::Tensor(_) => one(attr_type::TENSOR, None),
        AttrValue::Func(_) => one(attr_type::FUNC, None),
        AttrValue::Placeholder(_) => one(attr_type::PLACEHOLDER, None),
        AttrValue::Strings(v) => list(attr_type::STRING, v.len(), Some(v.iter().map(Vec::len).sum())),
        AttrValue::Ints(v) => list(attr_type::INT, v.len(), None),
        AttrValue::Floats(v) => list(attr_type::FLOAT, v.len(), None),
        AttrValue::Bools(v) => list(attr_type::BOOL, v.len(), None),
        AttrValue::Types(v) => list(attr_type::TYPE, v.len(), None),
        AttrValue::Shapes(v) => list(attr_type::SHAPE, v.len(), ranks(v)),
        AttrValue::Tensors(v) => list(attr_type::TENSOR, v.len(), None),
        AttrValue::Funcs(v) => list(attr_type::FUNC, v.len(), None),
        AttrValue::EmptyList => list(attr_type::STRING, 0, None),
    };
    if filled.is_list == 0 || filled.list_size > 0 {
        return filled;
    }
    let declared = info.op.attr(name).map_or(filled.kind, |attr| kind_number(attr.kind.scalar));
    TF_AttrMetadata { kind: declared, total_size: -1, ..filled }
}

c_api! {
    /// What kind of value an attr has, and how much room it takes.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string.
    fn TF_OperationGetAttrMetadata(
        oper as operation: *mut TF_Operation => operation_of,
        attr_name as name: *const c_char => text;
        status
    ) -> (TF_AttrMetadata = one(attr_type::STRING, None)) {
        Ok(metadata(value_of(operation, name)?, name, &operation.info))
    }
}
