//! A launch's arguments where the driver reads them: a slot of eight bytes for each, whose first bytes are the
//! parameter's.
//!
//! The texts of programs have a pointer for each buffer and a value for each scalar, in the order of
//! [`DeviceProgram::params`].

use oplink_api::device::{DeviceProgram, ProgramArg, ScalarValue};
use oplink_api::{Result, Tensor};
use smallvec::SmallVec;

/// The slots of a launch.
pub type Slots = SmallVec<[u64; 32]>;

/// The slots of `args`; `address` gives a tensor's address on the device, or says why there is none.
///
/// # Errors
/// The arguments are not those that the program takes, or a tensor has no address.
pub fn pack(
    program: &DeviceProgram,
    args: &[ProgramArg<'_>],
    address: impl Fn(&Tensor) -> Result<u64>,
) -> Result<Slots> {
    program.check_arguments(args)?;
    let slot = |(index, arg): (usize, &ProgramArg<'_>)| match arg {
        ProgramArg::Scalar(value) => Ok(bits(*value)),
        ProgramArg::Buffer(tensor) => {
            address(tensor).map_err(|error| error.context(format!("argument {index} of {}", program.name)))
        }
    };
    args.iter().enumerate().map(slot).collect()
}

/// A slot whose first bytes in memory are the value's.
fn bits(value: ScalarValue) -> u64 {
    fn first<const N: usize>(bytes: [u8; N]) -> u64 {
        let mut slot = [0; 8];
        slot[..N].copy_from_slice(&bytes);
        u64::from_ne_bytes(slot)
    }
    match value {
        ScalarValue::I32(value) => first(value.to_ne_bytes()),
        ScalarValue::U32(value) => first(value.to_ne_bytes()),
        ScalarValue::I64(value) => first(value.to_ne_bytes()),
        ScalarValue::U64(value) => first(value.to_ne_bytes()),
        ScalarValue::F32(value) => first(value.to_ne_bytes()),
        ScalarValue::F64(value) => first(value.to_ne_bytes()),
        ScalarValue::F16(value) => first(value.to_ne_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use oplink_api::descriptors::Location;
    use oplink_api::device::ProgramParam;
    use oplink_api::{DType, Error};

    use super::*;

    const PROGRAM: DeviceProgram = DeviceProgram {
        name: "Scale.scale",
        entry: "scale",
        cuda: "",
        wgsl: "",
        params: &[
            ProgramParam::Input(DType::Half),
            ProgramParam::Output(DType::Float),
            ProgramParam::Scalar(DType::Int32),
            ProgramParam::Scalar(DType::Int64),
            ProgramParam::Scalar(DType::Float),
            ProgramParam::Scalar(DType::Half),
            ProgramParam::Scalar(DType::UInt64),
            ProgramParam::Scalar(DType::Double),
            ProgramParam::Scalar(DType::UInt32),
        ],
        block: [256, 1, 1],
        needs: &[],
        location: Location { crate_name: "a", crate_version: "1", file: "scale.rs", line: 7 },
    };

    fn tensors() -> (Tensor, Tensor) {
        (Tensor::zeros(DType::Half, [2]).unwrap(), Tensor::zeros(DType::Float, [3]).unwrap())
    }

    fn args<'a>(half: &'a Tensor, float: &'a Tensor) -> Vec<ProgramArg<'a>> {
        let scalars = [
            ScalarValue::I32(-1),
            ScalarValue::I64(-2),
            ScalarValue::F32(1.5),
            ScalarValue::F16(0x3c00),
            ScalarValue::U64(1 << 40),
            ScalarValue::F64(-0.25),
            ScalarValue::U32(u32::MAX),
        ];
        [half, float].map(ProgramArg::Buffer).into_iter().chain(scalars.map(ProgramArg::Scalar)).collect()
    }

    /// As many bytes into the memory as there are elements.
    fn address(tensor: &Tensor) -> Result<u64> {
        Ok(0x7f00_0000_0000 + tensor.num_elements() as u64)
    }

    #[test]
    fn every_parameter_has_its_bytes_at_the_start_of_a_slot() {
        let (half, float) = tensors();
        let slots = pack(&PROGRAM, &args(&half, &float), address).expect("packed");
        let bytes: Vec<[u8; 8]> = slots.iter().map(|slot| slot.to_ne_bytes()).collect();
        assert_eq!(bytes[0], 0x7f00_0000_0002_u64.to_ne_bytes());
        assert_eq!(bytes[1], 0x7f00_0000_0003_u64.to_ne_bytes());
        assert_eq!(bytes[2][..4], (-1_i32).to_ne_bytes());
        assert_eq!(bytes[3], (-2_i64).to_ne_bytes());
        assert_eq!(bytes[4][..4], 1.5_f32.to_ne_bytes());
        assert_eq!(bytes[5][..2], 0x3c00_u16.to_ne_bytes());
        assert_eq!(bytes[6], (1_u64 << 40).to_ne_bytes());
        assert_eq!(bytes[7], (-0.25_f64).to_ne_bytes());
        assert_eq!(bytes[8][..4], u32::MAX.to_ne_bytes());
        assert_eq!(bytes.len(), 9);
    }

    #[test]
    fn other_arguments_are_refused_with_their_number() {
        let (half, float) = tensors();
        let refused = |args: &[ProgramArg<'_>]| pack(&PROGRAM, args, address).expect_err("refused").to_string();
        let few = refused(&args(&half, &float)[..2]);
        assert!(few.contains("takes 9 arguments, 2 are given") && few.contains("scale.rs:7"), "{few}");
        let other = refused(&args(&float, &float));
        assert!(other.contains("argument 0 of Scale.scale"), "{other}");
        let nowhere = |_: &Tensor| Err(Error::invalid_argument("it lies elsewhere"));
        let error = pack(&PROGRAM, &args(&half, &float), nowhere).expect_err("refused").to_string();
        assert!(error.contains("it lies elsewhere") && error.contains("argument 0 of Scale.scale"), "{error}");
    }
}
