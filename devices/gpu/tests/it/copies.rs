//! Copies in each direction and within the device.

use std::sync::mpsc::channel;

use oplink::device::copy_to_host_blocking;
use oplink::{DType, ErrorKind, Result, Shape, Tensor};

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

#[test]
fn slices_start_anywhere() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    for dtype in [DType::Int8, DType::Half, DType::Float, DType::Complex128] {
        let host = pattern(dtype, 1100);
        let there = context.copy_to_device(&host)?;
        for (start, end) in [(0, 1), (1, 2), (3, 1100), (5, 70), (257, 1099)] {
            let wanted = host.slice(start, end)?;
            let part = there.slice(start, end)?;
            let back = copy_to_host_blocking(&**context, &part)?;
            assert_eq!(back.as_bytes()?, wanted.as_bytes()?, "{start}..{end} of {dtype}");
            let back = copy_to_host_blocking(&**context, &context.copy_in_device(&part)?)?;
            assert_eq!(back.as_bytes()?, wanted.as_bytes()?, "{start}..{end} of {dtype}, copied in the device");
        }
    }
    Ok(())
}

#[test]
fn large_tensors_in_pieces() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let host = pattern(DType::UInt8, (64 << 20) + 4099);
    let there = context.copy_to_device(&host)?;
    let again = context.copy_in_device(&there)?;
    drop(there);
    let back = copy_to_host_blocking(&**context, &again)?;
    assert!(back.as_bytes()? == host.as_bytes()?);
    Ok(())
}

#[test]
fn small_tensors_between_launches_keep_the_order() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let first = context.copy_to_device(&pattern(DType::Int32, 2000))?;
    let mut copies = Vec::new();
    for count in 1..400 {
        // The one before gives its memory to the next.
        let small = context.copy_to_device(&pattern(DType::UInt8, count))?;
        copies.push((count, context.copy_in_device(&small)?));
        drop(context.copy_in_device(&first)?);
    }
    for (count, copy) in copies {
        let back = copy_to_host_blocking(&**context, &copy)?;
        assert_eq!(back.as_bytes()?, pattern(DType::UInt8, count).as_bytes()?, "{count}");
    }
    Ok(())
}

#[test]
fn a_tensor_may_go_before_its_copy_arrives() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let (sender, receiver) = channel();
    for count in 1..100 {
        let there = context.copy_to_device(&pattern(DType::Float, count))?;
        let sender = sender.clone();
        context.copy_to_host(&there, Box::new(move |copied| drop(sender.send(copied))));
    }
    for count in 1..100 {
        let copied = receiver.recv().expect("an answer")?;
        assert_eq!(copied.as_bytes()?, pattern(DType::Float, count).as_bytes()?);
    }
    Ok(())
}

#[test]
fn whoever_is_told_may_use_the_device() -> Result<()> {
    let device = gpu();
    let (queue, (sender, receiver)) = (context(&device).clone(), channel());
    let there = queue.copy_to_device(&pattern(DType::Float, 10))?;
    let again = queue.clone();
    let done = move |copied: Result<Tensor>| {
        let used = copied.and_then(|copied| again.copy_to_device(&copied)).and_then(|_| again.synchronize());
        drop(sender.send(used));
    };
    queue.copy_to_host(&there, Box::new(done));
    receiver.recv().expect("an answer")
}

#[test]
fn many_threads_at_once() {
    let device = gpu();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let context = context(&device);
            scope.spawn(move || {
                for round in 0..30 {
                    let host = pattern(DType::UInt8, 1 + thread * 1000 + round);
                    let there = context.copy_to_device(&host).expect("to the device");
                    let again = context.copy_in_device(&there).expect("in the device");
                    drop(there);
                    let back = copy_to_host_blocking(&**context, &again).expect("to the host");
                    assert_eq!(back.as_bytes().expect("bytes"), host.as_bytes().expect("bytes"));
                    context.synchronize().expect("synchronized");
                }
            });
        }
    });
}

#[test]
fn tensors_of_other_memory_are_refused() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let host = pattern(DType::Float, 3);
    let there = context.copy_to_device(&host)?;
    let refused = copy_to_host_blocking(&**context, &host).expect_err("a host tensor").to_string();
    assert!(refused.contains("a float tensor of shape [3] lies in the host's memory"), "{refused}");
    assert_eq!(context.copy_to_device(&there).expect_err("a device tensor").kind(), ErrorKind::DeviceMemory);
    let strings = Tensor::from_slice(&[oplink::TString::from("a")]);
    assert!(context.copy_to_device(&strings).is_err());
    Ok(())
}
