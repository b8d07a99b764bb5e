//! What a declaration holds and a spec cannot.

use crate::tensorflow::op_def::{ArgDef, AttrDef};
use crate::tensorflow::{FullTypeDef, OpDef, resource_handle_proto::DtypeAndShape};
use std::collections::BTreeMap;
use std::mem::take;

/// The fields of an `OpDef` that an `OpSpec` has no place for, by the names of their args and attrs.
///
/// They are the documentation, and the two descriptions of what a tensor's elements hold: none of them changes which
/// calls of the op are right.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OpExtras {
    /// Documentation: one line.
    pub summary: String,
    /// Documentation: the rest.
    pub description: String,
    /// Of inputs, by name; only those that have any.
    pub inputs: BTreeMap<String, ArgExtras>,
    /// Of outputs, by name; only those that have any.
    pub outputs: BTreeMap<String, ArgExtras>,
    /// Documentation of attrs, by name; only those that have any.
    pub attrs: BTreeMap<String, String>,
}

/// The fields of an `ArgDef` that an `ArgSpec` has no place for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArgExtras {
    /// Documentation.
    pub description: String,
    /// What the resources of the argument hold.
    pub handle_data: Vec<DtypeAndShape>,
    /// The argument's full type.
    pub full_type: Option<FullTypeDef>,
}

impl OpExtras {
    /// Moves the extras out of a declaration; what stays is what [`op_def_to_spec`](crate::op_def_to_spec) converts.
    pub fn take_from(op: &mut OpDef) -> OpExtras {
        OpExtras {
            summary: take(&mut op.summary),
            description: take(&mut op.description),
            inputs: op.input_arg.iter_mut().filter_map(ArgExtras::take_from).collect(),
            outputs: op.output_arg.iter_mut().filter_map(ArgExtras::take_from).collect(),
            attrs: op.attr.iter_mut().filter_map(take_attr).collect(),
        }
    }

    /// Sets the extras in a declaration. Those of args and attrs that it does not have are left out.
    pub fn apply(&self, op: &mut OpDef) {
        op.summary.clone_from(&self.summary);
        op.description.clone_from(&self.description);
        for (args, extras) in [(&mut op.input_arg, &self.inputs), (&mut op.output_arg, &self.outputs)] {
            for arg in args {
                extras.get(&arg.name).cloned().unwrap_or_default().apply(arg);
            }
        }
        for attr in &mut op.attr {
            attr.description = self.attrs.get(&attr.name).cloned().unwrap_or_default();
        }
    }
}

impl ArgExtras {
    fn take_from(arg: &mut ArgDef) -> Option<(String, ArgExtras)> {
        let extras = ArgExtras {
            description: take(&mut arg.description),
            handle_data: take(&mut arg.handle_data),
            full_type: arg.experimental_full_type.take(),
        };
        (extras != ArgExtras::default()).then(|| (arg.name.clone(), extras))
    }

    fn apply(self, arg: &mut ArgDef) {
        arg.description = self.description;
        arg.handle_data = self.handle_data;
        arg.experimental_full_type = self.full_type;
    }
}

fn take_attr(attr: &mut AttrDef) -> Option<(String, String)> {
    let description = take(&mut attr.description);
    (!description.is_empty()).then(|| (attr.name.clone(), description))
}
