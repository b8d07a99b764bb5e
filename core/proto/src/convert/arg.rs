//! Inputs and outputs.

use super::{ConvertError, value_dtype};
use crate::tensorflow::op_def::ArgDef;
use oplink_spec::{ArgSpec, ArgType, DType};

pub(super) fn arg_to_spec(arg: &ArgDef) -> Result<ArgSpec, ConvertError> {
    Ok(ArgSpec {
        name: arg.name.clone(),
        ty: type_of(arg)?,
        number_attr: non_empty(&arg.number_attr),
        is_ref: arg.is_ref,
    })
}

pub(super) fn arg_from_spec(arg: &ArgSpec) -> ArgDef {
    let mut message = ArgDef {
        name: arg.name.clone(),
        number_attr: arg.number_attr.clone().unwrap_or_default(),
        is_ref: arg.is_ref,
        ..ArgDef::default()
    };
    match &arg.ty {
        ArgType::Type(dtype) => message.r#type = dtype.number(),
        ArgType::Attr(name) => message.type_attr.clone_from(name),
        ArgType::ListAttr(name) => message.type_list_attr.clone_from(name),
    }
    message
}

/// Exactly one of the three fields says the type.
fn type_of(arg: &ArgDef) -> Result<ArgType, ConvertError> {
    let fixed = match value_dtype(arg.r#type)? {
        DType::Invalid => None,
        dtype => Some(ArgType::Type(dtype)),
    };
    let attr = non_empty(&arg.type_attr).map(ArgType::Attr);
    let list = non_empty(&arg.type_list_attr).map(ArgType::ListAttr);
    let mut given = [fixed, attr, list].into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(ty), None) => Ok(ty),
        (None, _) => Err(ConvertError::new("it has no type: set one of `type`, `type_attr`, `type_list_attr`")),
        (Some(_), Some(_)) => {
            Err(ConvertError::new("it has several types: set only one of `type`, `type_attr`, `type_list_attr`"))
        }
    }
}

fn non_empty(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}
