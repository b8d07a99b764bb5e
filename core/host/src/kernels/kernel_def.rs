//! Kernel declarations as messages.

use oplink_api::{DType, Error, Result, bail};
use oplink_proto::attr_value::Value;
use oplink_proto::prost::{self, Message};

use super::registration::{Callbacks, Registration};

/// A kernel's declaration on the wire.
#[derive(Clone, PartialEq, Message)]
#[prost(prost_path = "oplink_proto::prost")]
struct KernelDef {
    #[prost(string, tag = "1")]
    op: String,
    #[prost(string, tag = "2")]
    device_type: String,
    #[prost(message, repeated, tag = "3")]
    constraint: Vec<AttrConstraint>,
    #[prost(string, repeated, tag = "4")]
    host_memory_arg: Vec<String>,
    #[prost(string, tag = "5")]
    label: String,
    #[prost(int32, tag = "6")]
    priority: i32,
}

/// The dtypes that a type attr may have.
#[derive(Clone, PartialEq, Message)]
#[prost(prost_path = "oplink_proto::prost")]
struct AttrConstraint {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    allowed_values: Option<oplink_proto::AttrValue>,
}

/// The declaration in a message, with these functions.
///
/// # Errors
/// The bytes are no `KernelDef`, or an attr is constrained to something else than dtypes.
pub(super) fn read(bytes: &[u8], callbacks: Callbacks) -> Result<Registration> {
    let broken = |error: prost::DecodeError| Error::invalid_argument(format!("the KernelDef is malformed: {error}"));
    let definition = KernelDef::decode(bytes).map_err(broken)?;
    let constraints = definition.constraint.into_iter().map(constraint).collect::<Result<_>>()?;
    Ok(Registration {
        name: String::new(),
        op: definition.op,
        device: definition.device_type,
        label: definition.label,
        priority: definition.priority,
        constraints,
        host_memory: definition.host_memory_arg,
        callbacks,
    })
}

fn constraint(constraint: AttrConstraint) -> Result<(String, Vec<DType>)> {
    let AttrConstraint { name, allowed_values } = constraint;
    let Some(Value::List(list)) = allowed_values.and_then(|allowed| allowed.value) else {
        bail!("attr `{name}` is constrained to no list of dtypes");
    };
    let dtype = |&number: &i32| {
        DType::from_number(number).ok_or_else(|| Error::invalid_argument(format!("{number} is the number of no dtype")))
    };
    Ok((name, list.r#type.iter().map(dtype).collect::<Result<_>>()?))
}
