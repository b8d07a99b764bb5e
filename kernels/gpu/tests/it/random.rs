//! The kernels of `random`: the CPU's sequences.

use oplink::{AttrValue, DType, Tensor};

use super::support::{check, on_cpu, on_gpu};

/// Numbers that fill no group, of more groups than a grid has threads.
const COUNT: i32 = 70_003;

fn of(dtype: DType) -> (&'static str, AttrValue) {
    ("dtype", AttrValue::Type(dtype))
}

/// Calls the op on both devices and wants the same bits.
#[track_caller]
fn check_bits(op: &str, inputs: &[&Tensor], attrs: &[(&str, AttrValue)]) {
    let (gpu, cpu) = (on_gpu(op, inputs, attrs).unwrap(), on_cpu(op, inputs, attrs).unwrap());
    assert_eq!(gpu.len(), cpu.len(), "{op}: number of outputs");
    for (gpu, cpu) in gpu.iter().zip(&cpu) {
        assert_eq!((gpu.dtype(), gpu.shape()), (cpu.dtype(), cpu.shape()), "{op} {attrs:?}");
        assert!(gpu.as_bytes().unwrap() == cpu.as_bytes().unwrap(), "{op} {attrs:?}: GPU {gpu:?}, CPU {cpu:?}");
    }
}

/// Shape, key, counter and algorithm of an op of version 2, of a sequence that soon carries into its upper words.
fn keyed() -> [Tensor; 4] {
    let counter = Tensor::from_slice(&[u64::MAX - 9, 0xFFFF_FFFF_0000_0007]);
    [Tensor::from_slice(&[COUNT]), Tensor::from_slice(&[0x1234_5678_9ABC_DEF0_u64]), counter, Tensor::scalar(1)]
}

fn seeded(shape: &[i32]) -> [Tensor; 2] {
    [Tensor::from_slice(shape), Tensor::from_slice(&[-7_i64, 1 << 40])]
}

#[test]
fn uniform_numbers_are_those_of_the_cpu() {
    for dtype in [DType::Float, DType::Half, DType::Double] {
        for shape in [&[COUNT][..], &[3, 5], &[1], &[], &[0, 4]] {
            check_bits("StatelessRandomUniform", &seeded(shape).each_ref(), &[of(dtype)]);
        }
        check_bits("StatelessRandomUniformV2", &keyed().each_ref(), &[of(dtype)]);
        // The second run goes on where the first one ended.
        for _ in 0..2 {
            let attrs = [of(dtype), ("seed", 3.into()), ("seed2", 5.into())];
            check_bits("RandomUniform", &[&Tensor::from_slice(&[4099])], &attrs);
        }
    }
}

#[test]
fn integers_are_those_of_the_cpu() {
    for dtype in [DType::Int32, DType::Int64, DType::UInt32, DType::UInt64] {
        check_bits("StatelessRandomUniformFullInt", &seeded(&[COUNT]).each_ref(), &[of(dtype)]);
        check_bits("StatelessRandomUniformFullIntV2", &keyed().each_ref(), &[of(dtype)]);
    }
    let ranges = [
        [Tensor::scalar(-3), Tensor::scalar(4)],
        [Tensor::scalar(i32::MIN), Tensor::scalar(i32::MAX)],
        [Tensor::scalar(5_i64), Tensor::scalar(6_i64)],
        [Tensor::scalar(i64::MIN), Tensor::scalar(i64::MAX)],
        [Tensor::scalar(-(1_i64 << 40)), Tensor::scalar(12_345_i64)],
    ];
    for [low, high] in &ranges {
        let [shape, seed] = seeded(&[1001, 7]);
        check_bits("StatelessRandomUniformInt", &[&shape, &seed, low, high], &[]);
        let [shape, key, counter, algorithm] = keyed();
        check_bits("StatelessRandomUniformIntV2", &[&shape, &key, &counter, &algorithm, low, high], &[]);
        for _ in 0..2 {
            check_bits("RandomUniformInt", &[&Tensor::from_slice(&[1027]), low, high], &[("seed", 9.into())]);
        }
    }
}

#[test]
fn normal_numbers_are_near_those_of_the_cpu() {
    for (dtype, tolerance) in [(DType::Float, 3e-6), (DType::Half, 1e-3), (DType::Double, 4e-15)] {
        for kind in ["RandomNormal", "TruncatedNormal"] {
            for shape in [&[COUNT][..], &[3, 5], &[1], &[0]] {
                check(&format!("Stateless{kind}"), &seeded(shape).each_ref(), &[of(dtype)], tolerance);
            }
            check(&format!("Stateless{kind}V2"), &keyed().each_ref(), &[of(dtype)], tolerance);
        }
        for op in ["RandomStandardNormal", "TruncatedNormal"] {
            for _ in 0..2 {
                let attrs = [of(dtype), ("seed2", 11.into())];
                check(op, &[&Tensor::from_slice(&[33, 31])], &attrs, tolerance);
            }
        }
    }
}

#[test]
fn keys_and_counters_are_made_on_the_host() {
    let seed = Tensor::from_slice(&[1_i64, -2]);
    check_bits("StatelessRandomGetKeyCounter", &[&seed], &[]);
    check_bits("StatelessRandomGetKeyCounterAlg", &[&seed], &[]);
    check_bits("StatelessRandomGetAlg", &[], &[]);
}

#[test]
fn rows_are_shuffled_as_on_the_cpu() {
    let rows: Vec<i64> = (0..3 * 1009).collect();
    for dtype in [DType::Float, DType::Int64, DType::Half, DType::UInt8] {
        let attrs = [("DstT", AttrValue::Type(dtype))];
        let values = on_cpu("Cast", &[&Tensor::from_vec([1009, 3], rows.clone()).unwrap()], &attrs).unwrap();
        for _ in 0..2 {
            check_bits("RandomShuffle", &[&values[0]], &[("seed", 1.into())]);
        }
    }
    check_bits("RandomShuffle", &[&Tensor::scalar(1.5_f32)], &[]);
}

#[test]
fn ranges_without_a_number_are_errors() {
    let [shape, seed] = seeded(&[2]);
    let error = on_gpu("StatelessRandomUniformInt", &[&shape, &seed, &Tensor::scalar(3), &Tensor::scalar(3)], &[]);
    assert!(error.unwrap_err().to_string().contains("minval must be < maxval, they are 3 and 3"));
}
