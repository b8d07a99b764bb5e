//! The arguments of a launch against the program's parameters.

use oplink_api::{DeviceProgram, Error, ProgramArg, ProgramParam, Result};

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
            (ProgramParam::Scalar(dtype), ProgramArg::Scalar(value)) => *dtype == value.dtype(),
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
