//! The arguments of a launch against the program's parameters.

use oplink_api::{DType, DeviceProgram, Error, ProgramArg, ProgramParam, Result, ScalarValue};

/// Whether there is an argument of the right kind for each parameter: values of its dtype, tensors with elements of its size.
///
/// # Errors
/// There is not (`InvalidArgument`).
pub(crate) fn check(program: &DeviceProgram, args: &[ProgramArg<'_>]) -> Result<()> {
    let DeviceProgram { name, location, params, .. } = program;
    if args.len() != params.len() {
        let (takes, given) = (params.len(), args.len());
        return Err(Error::invalid_argument(format!(
            "{name} of {location} takes {takes} arguments, {given} are given"
        )));
    }
    for (index, (param, arg)) in params.iter().zip(args).enumerate() {
        let fits = match (param, arg) {
            (ProgramParam::Scalar(dtype), ProgramArg::Scalar(value)) => *dtype == dtype_of(*value),
            (
                ProgramParam::Input(dtype) | ProgramParam::Output(dtype) | ProgramParam::InOut(dtype),
                ProgramArg::Buffer(tensor),
            ) => dtype.size() == tensor.dtype().size(),
            _ => false,
        };
        if !fits {
            let given = match arg {
                ProgramArg::Buffer(tensor) => format!("a tensor of {}", tensor.dtype()),
                ProgramArg::Scalar(value) => format!("the value {value:?}"),
            };
            return Err(Error::invalid_argument(format!(
                "argument {index} of {name} of {location} is {param:?}, {given} is given"
            )));
        }
    }
    Ok(())
}

fn dtype_of(value: ScalarValue) -> DType {
    match value {
        ScalarValue::I32(_) => DType::Int32,
        ScalarValue::U32(_) => DType::UInt32,
        ScalarValue::I64(_) => DType::Int64,
        ScalarValue::U64(_) => DType::UInt64,
        ScalarValue::F32(_) => DType::Float,
        ScalarValue::F64(_) => DType::Double,
        ScalarValue::F16(_) => DType::Half,
    }
}
