//! The order of compute work and copies: streams wait for each other, and memory in flight stays as it is.

use std::sync::Arc;
use std::sync::mpsc::channel;

use oplink_api::Tensor;
use oplink_api::device::copy_to_host_blocking;
use oplink_core::Device;

use crate::plugin::{World, context, device_of, enqueue};

/// Enqueues compute work that adds one to each number of a tensor, as a kernel of the plugin does.
fn add_one(world: &Arc<World>, device: &Arc<dyn Device>, tensor: &Tensor) {
    let memory = tensor.device_memory().unwrap();
    let (handle, bytes) = (memory.block.handle().addr() + memory.offset, memory.bytes);
    let world = world.clone();
    enqueue(context(device).stream(), move || {
        world.with_memory(handle, bytes, |memory| {
            for number in memory.chunks_exact_mut(4) {
                let sum = i32::from_ne_bytes(number.try_into().unwrap()) + 1;
                number.copy_from_slice(&sum.to_ne_bytes());
            }
        });
    });
}

#[test]
fn compute_work_sees_copies_before_it_and_copies_see_work_before_them() {
    let (world, device) = device_of(|world| world.delay = 400);
    for round in 0..30 {
        let tensor = context(&device).copy_to_device(&Tensor::from_slice(&[round, 10, 20])).unwrap();
        add_one(&world, &device, &tensor);
        add_one(&world, &device, &tensor);
        let copy = context(&device).copy_in_device(&tensor).unwrap();
        add_one(&world, &device, &tensor);
        drop(tensor);
        let result = copy_to_host_blocking(&**context(&device), &copy).unwrap();
        assert_eq!(result.as_slice::<i32>().unwrap(), [round + 2, 12, 22]);
    }
    drop(device);
    world.check_nothing_is_left();
}

/// Tensors are dropped as soon as their last use is enqueued; their memory serves others only when that use is over.
#[test]
fn memory_in_flight_is_not_given_out() {
    for divides_memory in [false, true] {
        let (world, device) = device_of(|world| (world.delay, world.divides_memory) = (300, divides_memory));
        let (sender, receiver) = channel();
        for round in 0..60 {
            let tensor = context(&device).copy_to_device(&Tensor::from_slice(&[round; 600])).unwrap();
            add_one(&world, &device, &tensor);
            let sender = sender.clone();
            let done = move |copied: oplink_api::Result<Tensor>| sender.send((round, copied.unwrap())).unwrap();
            context(&device).copy_to_host(&tensor, Box::new(done));
        }
        drop(sender);
        let results: Vec<(i32, Tensor)> = receiver.iter().collect();
        assert_eq!(results.len(), 60);
        // In the order in which they were asked for.
        for (at, (round, result)) in results.iter().enumerate() {
            assert_eq!(*round, at as i32);
            assert_eq!(result.as_slice::<i32>().unwrap(), [round + 1; 600]);
        }
        drop(device);
        world.check_nothing_is_left();
    }
}

#[test]
fn several_threads_use_a_device_at_once() {
    let (world, device) = device_of(|world| world.delay = 50);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (world, device) = (&world, &device);
            scope.spawn(move || {
                for round in 0..25 {
                    let value = thread * 1000 + round;
                    let tensor = context(device).copy_to_device(&Tensor::from_slice(&[value; 64])).unwrap();
                    add_one(world, device, &tensor);
                    let result = copy_to_host_blocking(&**context(device), &tensor).unwrap();
                    assert_eq!(result.as_slice::<i32>().unwrap(), [value + 1; 64]);
                }
            });
        }
    });
    drop(device);
    world.check_nothing_is_left();
}

#[test]
fn synchronize_waits_for_work_and_copies() {
    let (world, device) = device_of(|world| world.delay = 2000);
    let tensor = context(&device).copy_to_device(&Tensor::from_slice(&[1; 8])).unwrap();
    let (sender, receiver) = channel();
    enqueue(context(&device).stream(), move || sender.send(()).unwrap());
    context(&device).synchronize().unwrap();
    receiver.try_recv().unwrap();
    drop((tensor, device));
    world.check_nothing_is_left();
}

/// What is asked for is handed out by a thread of the device; dropping the device there is no deadlock.
#[test]
fn the_last_reference_may_go_where_a_copy_arrives() {
    let (world, device) = device_of(|_| ());
    let tensor = context(&device).copy_to_device(&Tensor::from_slice(&[5; 8])).unwrap();
    let (sender, receiver) = channel();
    let held = device.clone();
    let wait: Arc<std::sync::Barrier> = Arc::new(std::sync::Barrier::new(2));
    let (there, here) = (wait.clone(), wait);
    let done = move |copied: oplink_api::Result<Tensor>| {
        there.wait();
        drop(held);
        sender.send(copied.unwrap()).unwrap();
    };
    context(&device).copy_to_host(&tensor, Box::new(done));
    drop((tensor, device));
    here.wait();
    assert_eq!(receiver.recv().unwrap().as_slice::<i32>().unwrap(), [5; 8]);
    world.check_nothing_is_left();
}
