//! What a client builds graphs of.

use std::ffi::{c_char, c_int, c_uchar};

use crate::{TF_Graph, TF_Operation};

/// An input of a node.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TF_Input {
    /// The node.
    pub oper: *mut TF_Operation,
    /// Position, from 0.
    pub index: c_int,
}

/// An output of a node.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TF_Output {
    /// The node.
    pub oper: *mut TF_Operation,
    /// Position, from 0.
    pub index: c_int,
}

/// The kind of an attr; see [`attr_type`].
pub type TF_AttrType = c_int;

/// The values of [`TF_AttrType`].
#[allow(missing_docs, reason = "the names say it")]
pub mod attr_type {
    use super::TF_AttrType;

    pub const STRING: TF_AttrType = 0;
    pub const INT: TF_AttrType = 1;
    pub const FLOAT: TF_AttrType = 2;
    pub const BOOL: TF_AttrType = 3;
    pub const TYPE: TF_AttrType = 4;
    pub const SHAPE: TF_AttrType = 5;
    pub const TENSOR: TF_AttrType = 6;
    pub const PLACEHOLDER: TF_AttrType = 7;
    pub const FUNC: TF_AttrType = 8;
}

/// What an attr's value is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_AttrMetadata {
    /// 1 for a list, else 0.
    pub is_list: c_uchar,
    /// Elements of a list; -1 where the value is none.
    pub list_size: i64,
    /// Kind of the value, or of a list's elements.
    pub kind: TF_AttrType,
    /// Bytes of a string or of all strings of a list; dims of a shape (-1 for unknown rank) or of all shapes of a list;
    /// -1 for other kinds.
    pub total_size: i64,
}

/// A while loop under construction.
#[repr(C)]
#[derive(Debug)]
pub struct TF_WhileParams {
    /// Loop variables.
    pub ninputs: c_int,
    /// The condition, built by the client.
    pub cond_graph: *mut TF_Graph,
    /// The loop variables in the condition.
    pub cond_inputs: *const TF_Output,
    /// Set by the client: the scalar boolean that says whether to go on.
    pub cond_output: TF_Output,
    /// The body, built by the client.
    pub body_graph: *mut TF_Graph,
    /// The loop variables in the body.
    pub body_inputs: *const TF_Output,
    /// Set by the client: the loop variables' next values.
    pub body_outputs: *mut TF_Output,
    /// Set by the client: the loop's name.
    pub name: *const c_char,
}

const _: () = assert!(size_of::<TF_Output>() == 16 && size_of::<TF_AttrMetadata>() == 32);
const _: () = assert!(size_of::<TF_WhileParams>() == 72);
