//! Copies in each direction and within the device.

use oplink::{DType, Result, Shape, Tensor, copy_to_host_blocking};

use crate::support::{context, gpu};

/// Elements that differ from their neighbours, also across words.
fn pattern(dtype: DType, count: usize) -> Tensor {
    let bytes: Vec<u8> = (0..count * dtype.size().expect("plain")).map(|at| (at * 7 + at / 251) as u8).collect();
    let bytes = if dtype == DType::Bool { bytes.iter().map(|byte| byte & 1).collect() } else { bytes };
    Tensor::from_bytes(dtype, Shape::from(vec![count]), &bytes).expect("a tensor")
}

const PLAIN: [DType; 15] = [
    DType::Bool,
    DType::Int8,
    DType::UInt8,
    DType::Int16,
    DType::UInt16,
    DType::Half,
    DType::BFloat16,
    DType::Int32,
    DType::UInt32,
    DType::Float,
    DType::Int64,
    DType::UInt64,
    DType::Double,
    DType::Complex64,
    DType::Complex128,
];

#[test]
fn every_dtype_and_length_comes_back() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    for dtype in PLAIN {
        for count in [0, 1, 2, 3, 4, 5, 7, 63, 64, 65, 255, 1023, 40_003] {
            let host = pattern(dtype, count);
            let there = context.copy_to_device(&host)?;
            assert!(there.as_bytes().is_err());
            let back = copy_to_host_blocking(&**context, &there)?;
            assert_eq!(back.as_bytes()?, host.as_bytes()?, "{count} of {dtype}");
            let again = context.copy_in_device(&there)?;
            let back = copy_to_host_blocking(&**context, &again)?;
            assert_eq!(back.as_bytes()?, host.as_bytes()?, "{count} of {dtype}, copied in the device");
        }
    }
    Ok(())
}
