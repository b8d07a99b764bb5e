//! Values at the ends of their types, and shapes at the ends of memory.

use oplink::prelude::*;

use crate::random::Random;

/// Integers.
const INTEGERS: &[i64] = &[
    0,
    0,
    0,
    1,
    1,
    1,
    -1,
    -1,
    2,
    2,
    3,
    4,
    5,
    7,
    8,
    16,
    100,
    -2,
    -3,
    127,
    128,
    255,
    256,
    1000,
    65_536,
    1_000_000,
    100_000_000,
    1_000_000_000,
    i32::MAX as i64,
    i32::MAX as i64 - 1,
    1 << 31,
    (1 << 31) + 1,
    i32::MIN as i64,
    1 << 32,
    1 << 33,
    1 << 40,
    1 << 62,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
    i64::MIN + 1,
];

/// Floats.
const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    -3.0,
    0.1,
    1e-30,
    1e-45,
    1e9,
    -1e9,
    1e10,
    2_147_483_648.0,
    1e18,
    1e19,
    1e30,
    -1e30,
    3.4e38,
    1e300,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::MIN,
];

/// Strings.
const STRINGS: &[&str] = &[
    "",
    "a",
    " ",
    "%",
    "-",
    "(",
    ")",
    "[",
    "\\",
    "\\9",
    "%d",
    "%s",
    "%999999999d",
    "*",
    "a{1000}{1000}",
    "(a*)*b",
    "((((((((",
    "a|b|",
    "\0",
    "x\0y",
    "\u{1f600}",
    "1",
    "-1",
    "1e999999",
    "nan",
    "inf",
    "0x7f",
    "99999999999999999999999",
    "%s%s%s%s",
    "..",
    "a/b/../c",
    "NHWC",
    "NCHW",
    "SAME",
    "VALID",
    "UTF-8",
    "UTF-16-BE",
    "ab,bc->ac",
    "...->...",
    "a->aa",
    "->",
    ",",
    "....",
    "{}",
    "{}{}{}",
];

/// Extents.
const EXTENTS: &[usize] = &[0, 0, 1, 1, 2, 3, 5, 16, 100, 1000, 1 << 16, 1 << 31, 1 << 40, 1 << 62];

/// Elements that a made tensor has at most.
const MOST_ELEMENTS: usize = 1 << 19;
/// Bytes of a huge string.
const HUGE_STRING: usize = 1 << 20;

pub(super) fn integer(random: &mut Random) -> i64 {
    *random.pick(INTEGERS)
}

pub(super) fn float(random: &mut Random) -> f64 {
    *random.pick(FLOATS)
}

pub(super) fn string(random: &mut Random) -> Vec<u8> {
    match random.below(20) {
        0 => vec![0xff, 0xfe, 0x80, 0x00],
        1 => random.pick(STRINGS).repeat(1000).into_bytes(),
        2 => b"a".repeat(HUGE_STRING),
        3 => b"(".repeat(10_000),
        _ => random.pick(STRINGS).as_bytes().to_vec(),
    }
}

/// Extents of a tensor that can be made: few elements, or none.
pub(super) fn shape(random: &mut Random) -> Shape {
    let rank = match random.below(20) {
        0 => random.below(12),
        1 => 254,
        _ => random.below(6),
    };
    let mut dims: Vec<usize> = if rank > 12 { vec![1; rank] } else { (0..rank).map(|_| extent(random)).collect() };
    let product = dims.iter().try_fold(1usize, |a, &b| a.checked_mul(b));
    if product.is_none_or(|count| count > MOST_ELEMENTS) {
        let at = random.below(dims.len());
        dims[at] = 0;
    }
    Shape::new(&dims)
}

fn extent(random: &mut Random) -> usize {
    if random.percent(70) { random.below(5) } else { *random.pick(EXTENTS) }
}

/// A partial shape, of any extents.
pub(super) fn partial_shape(random: &mut Random) -> PartialShape {
    if random.percent(10) {
        return PartialShape::unknown();
    }
    let dim = |random: &mut Random| if random.percent(20) { None } else { Some(extent(random)) };
    (0..random.below(5)).map(|_| dim(random)).collect()
}

/// A tensor of a plain dtype, or of strings, with extreme elements: all equal, or of a few values.
pub(super) fn tensor(dtype: DType, shape: Shape, random: &mut Random) -> Option<Tensor> {
    let mut value = scalar(dtype, random)?;
    if dtype == DType::String && shape.num_elements() > 64 {
        value = Tensor::scalar(TString::from(*random.pick(STRINGS)));
    }
    if shape.num_elements() > 64 || random.percent(40) {
        return full(&value, shape);
    }
    let mut tensor = full(&value, shape)?;
    for at in 0..tensor.num_elements() {
        if random.percent(60) {
            set(&mut tensor, at, &scalar(dtype, random)?)?;
        }
    }
    Some(tensor)
}

/// A scalar of the dtype; small numbers more often.
pub(super) fn scalar(dtype: DType, random: &mut Random) -> Option<Tensor> {
    let plain = random.percent(50);
    let integer = if plain { random.below(5) as i64 - 1 } else { integer(random) };
    let number = if plain { random.below(9) as f64 / 2.0 - 2.0 } else { float(random) };
    Some(match dtype {
        DType::Float => Tensor::scalar(number as f32),
        DType::Double => Tensor::scalar(number),
        DType::Half => Tensor::scalar(f16::from_f64(number)),
        DType::BFloat16 => Tensor::scalar(bf16::from_f64(number)),
        DType::Int8 => Tensor::scalar(integer as i8),
        DType::Int16 => Tensor::scalar(integer as i16),
        DType::Int32 => Tensor::scalar(integer.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        DType::Int64 => Tensor::scalar(integer),
        DType::UInt8 => Tensor::scalar(integer as u8),
        DType::UInt16 => Tensor::scalar(integer as u16),
        DType::UInt32 => Tensor::scalar(integer as u32),
        DType::UInt64 => Tensor::scalar(integer as u64),
        DType::Bool => Tensor::scalar(random.percent(50)),
        DType::String => Tensor::scalar(TString::new(string(random))),
        DType::Complex64 => Tensor::scalar(Complex { re: number as f32, im: float(random) as f32 }),
        DType::Complex128 => Tensor::scalar(Complex { re: number, im: float(random) }),
        DType::Resource | DType::Variant | DType::Invalid => return None,
        _ => Tensor::zeros(dtype, Shape::scalar()).ok()?,
    })
}

/// A tensor with one value everywhere.
fn full(value: &Tensor, shape: Shape) -> Option<Tensor> {
    let mut tensor = Tensor::zeros(value.dtype(), shape).ok()?;
    oplink_cpu_support::movement::fill(&oplink::DefaultEnv, &mut tensor, Some(value)).ok()?;
    Some(tensor)
}

/// Sets an element.
pub(super) fn set(tensor: &mut Tensor, at: usize, value: &Tensor) -> Option<()> {
    let shape = tensor.shape().clone();
    let all = tensor.clone().with_shape([tensor.num_elements()]).ok()?;
    let mut changed = all.deep_copy().ok()?;
    if value.dtype() == DType::String {
        changed.as_mut_slice::<TString>().ok()?[at] = value.as_slice::<TString>().ok()?[0].clone();
    } else if value.dtype() == DType::Bool {
        changed.as_mut_slice::<bool>().ok()?[at] = value.as_slice::<bool>().ok()?[0];
    } else {
        let bytes = value.as_bytes().ok()?;
        changed.as_mut_bytes().ok()?[at * bytes.len()..][..bytes.len()].copy_from_slice(bytes);
    }
    *tensor = changed.with_shape(shape).ok()?;
    Some(())
}
