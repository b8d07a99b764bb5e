//! Whole declarations.

use super::ConvertError;
use super::arg::{arg_from_spec, arg_to_spec};
use super::attr::{attr_from_spec, attr_to_spec};
use crate::tensorflow::{OpDef, OpDeprecation};
use oplink_spec::{Deprecation, Flags, OpSpec};

/// The spec of a declaration, without what [`OpExtras`](crate::OpExtras) carries.
///
/// The spec is not checked: `OpSpec::check` does that.
///
/// # Errors
/// When an argument does not have exactly one type, an attr's kind is unknown, or a value is none that a declaration
/// can have. The error names the op and the piece.
pub fn op_def_to_spec(op: &OpDef) -> Result<OpSpec, ConvertError> {
    let convert = || {
        let input = |arg| arg_to_spec(arg).map_err(|e| e.inside("input", &arg.name));
        let output = |arg| arg_to_spec(arg).map_err(|e| e.inside("output", &arg.name));
        let attr = |attr| attr_to_spec(attr).map_err(|e| e.inside("attr", &attr.name));
        Ok(OpSpec {
            name: op.name.clone(),
            inputs: op.input_arg.iter().map(input).collect::<Result<_, _>>()?,
            outputs: op.output_arg.iter().map(output).collect::<Result<_, _>>()?,
            attrs: op.attr.iter().map(attr).collect::<Result<_, _>>()?,
            control_outputs: op.control_output.clone(),
            flags: flags_to_spec(op),
            deprecation: op.deprecation.as_ref().map(deprecation_to_spec),
        })
    };
    convert().map_err(|e: ConvertError| e.inside("op", &op.name))
}

/// The declaration of a spec, without documentation, full types and handle data;
/// [`OpExtras::apply`](crate::OpExtras::apply) adds them.
pub fn spec_to_op_def(spec: &OpSpec) -> OpDef {
    OpDef {
        name: spec.name.clone(),
        input_arg: spec.inputs.iter().map(arg_from_spec).collect(),
        output_arg: spec.outputs.iter().map(arg_from_spec).collect(),
        control_output: spec.control_outputs.clone(),
        attr: spec.attrs.iter().map(attr_from_spec).collect(),
        deprecation: spec.deprecation.as_ref().map(deprecation_from_spec),
        summary: String::new(),
        description: String::new(),
        is_commutative: spec.flags.commutative,
        is_aggregate: spec.flags.aggregate,
        is_stateful: spec.flags.stateful,
        allows_uninitialized_input: spec.flags.allows_uninitialized_input,
        is_distributed_communication: spec.flags.distributed_communication,
    }
}

fn flags_to_spec(op: &OpDef) -> Flags {
    Flags {
        commutative: op.is_commutative,
        aggregate: op.is_aggregate,
        stateful: op.is_stateful,
        allows_uninitialized_input: op.allows_uninitialized_input,
        distributed_communication: op.is_distributed_communication,
    }
}

fn deprecation_to_spec(message: &OpDeprecation) -> Deprecation {
    Deprecation { version: message.version, explanation: message.explanation.clone() }
}

fn deprecation_from_spec(spec: &Deprecation) -> OpDeprecation {
    OpDeprecation { version: spec.version, explanation: spec.explanation.clone() }
}
