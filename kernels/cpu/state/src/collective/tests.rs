//! Groups of several devices, against what TensorFlow's give, and members that do not come.

use std::time::Duration;

use oplink::prelude::*;
use oplink_cpu_support::stepping::{InStep, Running};

const ORACLE: &str = include_str!("../../tests/oracle/collectives.txt");

fn device(number: usize) -> String {
    format!("/job:localhost/replica:0/task:0/device:CPU:{number}")
}

fn tensor(dtype: &str, shape: &str, text: &str) -> Tensor {
    let dims: Vec<usize> = shape.split('x').filter_map(|extent| extent.parse().ok()).collect();
    let numbers: Vec<f64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let float = |number: &f64| *number as f32;
    match dtype {
        "float32" => Tensor::from_vec(dims, numbers.iter().map(float).collect()),
        "float64" => Tensor::from_vec(dims, numbers),
        "float16" => Tensor::from_vec(dims, numbers.iter().map(|number| f16::from_f32(float(number))).collect()),
        "bfloat16" => Tensor::from_vec(dims, numbers.iter().map(|number| bf16::from_f32(float(number))).collect()),
        "int32" => Tensor::from_vec(dims, numbers.iter().map(|&number| number as i32).collect()),
        _ => Tensor::from_vec(dims, numbers.iter().map(|&number| number as i64).collect()),
    }
    .unwrap()
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    match tensor.dtype() {
        DType::Float => tensor.as_slice::<f32>().unwrap().iter().map(|&x| f64::from(x)).collect(),
        DType::Double => tensor.as_slice::<f64>().unwrap().to_vec(),
        DType::Half => tensor.as_slice::<f16>().unwrap().iter().map(|x| f64::from(x.to_f32())).collect(),
        DType::BFloat16 => tensor.as_slice::<bf16>().unwrap().iter().map(|x| f64::from(x.to_f32())).collect(),
        DType::Int32 => tensor.as_slice::<i32>().unwrap().iter().map(|&x| f64::from(x)).collect(),
        _ => tensor.as_slice::<i64>().unwrap().iter().map(|&x| x as f64).collect(),
    }
}

fn finished(run: &Running) -> Result<Tensor> {
    let outputs = run.recv_timeout(Duration::from_secs(60)).expect("the members meet")?;
    Ok(outputs.into_iter().flatten().next().unwrap())
}

/// Starts the member of a case.
fn start(step: &InStep, words: &[&str], (at, count): (usize, usize), input: Tensor, number: i32) -> Running {
    let (op, more) = (words[0], &words[3..]);
    let mut keys: Vec<Tensor> = [count as i32, number, number].map(Tensor::scalar).to_vec();
    let mut inputs = vec![input];
    match op {
        "CollectiveBcastSendV2" if !more.contains(&at.to_string().as_str()) => {
            let shape: Vec<i32> = inputs[0].shape().iter().map(|&extent| extent as i32).collect();
            keys.push(Tensor::from_slice(&shape));
            let attrs = [("T", AttrValue::Type(inputs[0].dtype()))];
            step.start_on(&device(at), "CollectiveBcastRecvV2", &attrs, keys).unwrap()
        }
        "CollectiveReduceV3" | "CollectiveAllToAllV3" => unreachable!("it takes a communicator"),
        _ => {
            inputs.append(&mut keys);
            let attrs: Vec<(&str, AttrValue)> = match more {
                [merge, last] if op == "CollectiveReduceV2" => {
                    vec![("merge_op", (*merge).into()), ("final_op", (*last).into())]
                }
                _ => Vec::new(),
            };
            step.start_on(&device(at), op, &attrs, inputs).unwrap()
        }
    }
}

/// Starts all members of a case, with a communicator where the op takes one.
fn start_all(step: &InStep, words: &[&str], inputs: Vec<Tensor>, number: i32) -> Vec<Running> {
    let (op, count) = (words[0], inputs.len());
    if !op.ends_with("V3") {
        let members = inputs.into_iter().enumerate();
        return members.map(|(at, input)| start(step, words, (at, count), input, number)).collect();
    }
    let make = |at: usize| {
        let rank: i32 = words[4 + at].parse().unwrap();
        let inputs = [number, rank, count as i32].map(Tensor::scalar).to_vec();
        step.start_on(&device(at), "CollectiveInitializeCommunicator", &[], inputs).unwrap()
    };
    let groups: Vec<Running> = (0..count).map(make).collect();
    let groups: Vec<Tensor> = groups.iter().map(|group| finished(group).unwrap()).collect();
    let members = inputs.into_iter().zip(groups).enumerate();
    let start = |(at, (input, group))| {
        let inputs = vec![input, group, Tensor::from_slice::<i32>(&[])];
        let attrs: &[(&str, AttrValue)] = &[("reduction", words[3].into())];
        let attrs = if op == "CollectiveReduceV3" { attrs } else { &[] };
        step.start_on(&device(at), op, attrs, inputs).unwrap()
    };
    members.map(start).collect()
}

#[test]
fn members_get_what_tensorflow_gives_them() {
    let step = InStep::new(1);
    let mut count = 0;
    for (case, number) in ORACLE.trim().split("\n\n").zip(1..) {
        let mut lines = case.lines();
        let words: Vec<&str> = lines.next().unwrap().split(' ').collect();
        let members: Vec<(&str, &str)> = lines.map(|line| line.split_once('|').unwrap()).collect();
        let inputs = members.iter().map(|(input, _)| tensor(words[1], words[2], input)).collect();
        let runs = start_all(&step, &words, inputs, number);
        for (run, (_, wanted)) in runs.iter().zip(&members) {
            match finished(run) {
                Ok(output) => {
                    let wanted: Vec<f64> = wanted.split_whitespace().map(|word| word.parse().expect(case)).collect();
                    assert_eq!(numbers(&output), wanted, "{case}");
                }
                Err(error) => assert_eq!(format!("{:?}", error.code()), wanted.trim(), "{case}: {error}"),
            }
        }
        count += 1;
    }
    assert_eq!(count, 39);
}

fn gather(step: &InStep, at: usize, (size, instance): (i32, i32), input: Tensor, seconds: f32) -> Running {
    let keys = [size, 1, instance].map(Tensor::scalar);
    let inputs = std::iter::once(input).chain(keys).collect();
    step.start_on(&device(at), "CollectiveGatherV2", &[("timeout_seconds", seconds.into())], inputs).unwrap()
}

#[test]
fn a_member_waits_for_the_others_until_its_time_or_its_step_is_over() {
    let step = InStep::new(1);
    let late = gather(&step, 0, (2, 1), [1f32].into(), 0.05);
    assert_eq!(finished(&late).unwrap_err().code(), Code::DeadlineExceeded);
    let other = step.next();
    let (left, waits) = (gather(&other, 0, (2, 1), [2f32].into(), 0.0), gather(&step, 0, (2, 1), [3f32].into(), 0.0));
    assert!(left.try_recv().is_err() && waits.try_recv().is_err(), "both are of one device");
    other.step().cancellation().cancel(Error::new(Code::Cancelled, ErrorKind::Cancelled, "no more"));
    assert_eq!(finished(&left).unwrap_err().code(), Code::Cancelled);
    let last = gather(&step, 1, (2, 1), [4f32].into(), 0.0);
    for run in [&waits, &last] {
        assert_eq!(numbers(&finished(run).unwrap()), [3.0, 4.0]);
    }
}

#[test]
fn members_that_do_not_agree_fail_all_with_one_error() {
    let step = InStep::new(1);
    let fail = |runs: [Running; 3], code: Code| {
        let errors = runs.map(|run| finished(&run).unwrap_err());
        assert!(errors.iter().all(|error| error.code() == code), "{errors:?}");
        assert!(errors.iter().all(|error| error.message() == errors[0].message()), "{errors:?}");
    };
    let start = |at, size, input: Tensor| gather(&step, at, (size, 2), input, 0.0);
    fail(
        [start(0, 3, [1f32].into()), start(1, 3, [1f32, 2.0].into()), start(2, 3, [1f32].into())],
        Code::InvalidArgument,
    );
    fail([start(0, 3, [1f32].into()), start(1, 3, [1i32].into()), start(2, 3, [1f32].into())], Code::Internal);
    fail([start(0, 4, [1f32].into()), start(1, 3, [1f32].into()), start(2, 3, [1f32].into())], Code::Internal);
    let alone = gather(&step, 0, (1, 2), [5f32].into(), 0.0);
    assert_eq!(numbers(&finished(&alone).unwrap()), [5.0]);
}

#[test]
fn groups_are_made_once_and_their_places_differ() {
    let step = InStep::new(1);
    let make = |at: usize, [key, rank, size]: [i32; 3]| {
        let inputs = [key, rank, size].map(Tensor::scalar).to_vec();
        step.start_on(&device(at), "CollectiveInitializeCommunicator", &[], inputs).unwrap()
    };
    finished(&make(0, [1, 0, 1])).unwrap();
    assert_eq!(finished(&make(0, [1, 0, 1])).unwrap_err().code(), Code::AlreadyExists);
    for rank in [-1, 1] {
        assert_eq!(finished(&make(0, [2, rank, 1])).unwrap_err().code(), Code::InvalidArgument);
    }
}
