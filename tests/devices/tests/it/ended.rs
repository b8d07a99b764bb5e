//! Devices that end while their work does not: whoever drops one goes on after a while, and nothing is given back that
//! work still uses.

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use oplink::runtime::{Device, DeviceOptions, LONGEST_END};
use oplink::{Tensor, log};
use oplink_device_pluggable::StreamExecutorContext;
use oplink_device_tests::{devices_of_type, sim};

/// Set for the process in which a device never comes to rest.
const IN_PROCESS: &str = "OPLINK_TEST_HUNG_FOR_EVER";

/// Another device of the plugin's first accelerator, which is the caller's to drop.
fn own_device() -> Arc<dyn Device> {
    let known = devices_of_type(sim::SIM).unwrap()[0].clone();
    let context: &StreamExecutorContext = known.context().unwrap().as_any().downcast_ref().unwrap();
    context.platform().create_devices(&DeviceOptions::default()).unwrap().swap_remove(0)
}

fn counter(wanted: &str) -> u64 {
    sim::counters(0).into_iter().find(|(name, _)| *name == wanted).expect("a counter").1
}

/// What was told while `work` was done, and how long it took.
fn told(work: impl FnOnce()) -> (String, Duration) {
    static TOLD: Mutex<String> = Mutex::new(String::new());
    static LISTENS: std::sync::Once = std::sync::Once::new();
    LISTENS.call_once(|| {
        log::listen(Box::new(|text| TOLD.lock().unwrap().push_str(&String::from_utf8_lossy(text))));
    });
    TOLD.lock().unwrap().clear();
    let start = Instant::now();
    work();
    (std::mem::take(&mut *TOLD.lock().unwrap()), start.elapsed())
}

/// Waits until a counter is back at what it was.
fn wait_for(name: &str, wanted: u64) {
    let start = Instant::now();
    while counter(name) != wanted {
        assert!(start.elapsed() < Duration::from_mins(1), "{name} is {}, and was {wanted}", counter(name));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_device_is_dropped_while_a_copy_to_the_host_hangs() {
    let _alone = sim::alone();
    let x = Tensor::from_slice(&[1.0f32; 1000]);
    devices_of_type(sim::SIM).unwrap();
    let live = ["devices_live", "streams_live", "events_live", "allocations_live", "host_allocations_live"];
    let before = live.map(counter);

    // A device at rest ends at once, and says nothing.
    let (text, took) = told(|| {
        let device = own_device();
        let there = device.context().unwrap().copy_to_device(&x).unwrap();
        drop((there, device));
    });
    assert!(text.is_empty() && took < LONGEST_END, "{took:?}: {text}");
    assert_eq!(live.map(counter), before);

    let device = own_device();
    let there = device.context().unwrap().copy_to_device(&x).unwrap();
    device.context().unwrap().synchronize().unwrap();
    sim::set_fault("StreamHangs", 0, 0);
    let (sender, receiver) = std::sync::mpsc::channel();
    device.context().unwrap().copy_to_host(&there, Box::new(move |copied| sender.send(copied).unwrap()));
    let (text, took) = told(|| drop((there, device)));
    assert!(took >= LONGEST_END && took < LONGEST_END * 2, "{took:?}");
    assert!(text.contains("device:SIM:0 was dropped and its work did not end within 5 s"), "{text}");
    assert!(counter("devices_live") > before[0] && receiver.try_recv().is_err(), "what work uses stays");

    // The stream goes on: the copy arrives, and the rest goes.
    sim::clear_faults();
    let copied = receiver.recv_timeout(Duration::from_mins(1)).unwrap().unwrap();
    assert_eq!(copied.as_slice::<f32>().unwrap(), x.as_slice::<f32>().unwrap());
    live.iter().zip(before).for_each(|(name, before)| wait_for(name, before));
    assert_eq!(counter("wrong_uses"), 0);
}

#[test]
fn the_last_tensor_of_a_device_is_dropped_while_a_stream_hangs() {
    let _alone = sim::alone();
    let x = Tensor::from_slice(&[1.0f32; 1000]);
    devices_of_type(sim::SIM).unwrap();
    let before = counter("devices_live");
    let device = own_device();
    let there = device.context().unwrap().copy_to_device(&x).unwrap();
    device.context().unwrap().synchronize().unwrap();
    sim::set_fault("StreamHangs", 0, 0);
    let again = device.context().unwrap().copy_in_device(&there).unwrap();
    let (_, took) = told(|| drop(device));
    assert!(took < LONGEST_END * 2, "{took:?}");
    let (_, took) = told(|| drop((there, again)));
    assert!(took < LONGEST_END * 2, "{took:?}");
    sim::clear_faults();
    wait_for("devices_live", before);
    assert_eq!(counter("wrong_uses"), 0);
}

/// A plugin that gives up waiting for its hung streams: what they may still use is kept for good, and the process ends.
#[test]
fn what_a_stream_may_use_that_never_ends_is_kept_for_good() {
    if std::env::var_os(IN_PROCESS).is_none() {
        let test = "ended::what_a_stream_may_use_that_never_ends_is_kept_for_good";
        let process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .envs([(IN_PROCESS, "1"), ("OPLINK_SIM_TIMEOUT_MS", "200"), ("OPLINK_GPU", "off")])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&process.stderr).into_owned();
        assert!(process.status.success(), "{text}");
        let said = "device:SIM:0 was dropped and its work did not end: its memory and streams stay: ";
        assert_eq!(text.matches(said).count(), 1, "{text}");
        return;
    }
    let device = own_device();
    let there = device.context().unwrap().copy_to_device(&Tensor::from_slice(&[1.0f32; 1000])).unwrap();
    device.context().unwrap().synchronize().unwrap();
    let live = ["devices_live", "streams_live", "allocations_live"];
    let before = live.map(counter);
    sim::set_fault("StreamHangs", 0, 0);
    let again = device.context().unwrap().copy_in_device(&there).unwrap();
    let start = Instant::now();
    drop((there, again, device));
    assert!(start.elapsed() < LONGEST_END, "{:?}", start.elapsed());
    assert_eq!(live.map(counter), before);
    assert_eq!(counter("wrong_uses"), 0);
}
