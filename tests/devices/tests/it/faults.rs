//! Each fault of the simulated accelerator in this host: what is seen of it, that nothing is left behind, and that the
//! next step is right.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use oplink::device::copy_to_host_blocking;
use oplink::graph::eager::EagerContext;
use oplink::runtime::{Device, Registry};
use oplink::{Error, Result, Tensor};
use oplink_device_pluggable::{Fill, StreamExecutorContext};
use oplink_device_tests::{devices_of_type, sim};

/// What a fault is looked at with.
#[derive(Clone, Copy)]
enum Step {
    /// A sum on the device, its inputs from the host, its result to the host.
    Sum,
    /// The same with so many elements, more than any before: memory of the device and of the host is asked for.
    Large(usize),
    /// A copy within the device, to the host.
    Copy,
    Fill,
    Time,
    /// A sum that nobody fetches, and a wait for the device.
    Wait,
}

/// Faults that strike while the device works, the steps that meet them, and how often they strike; 0 for always.
const FAULTS: &[(&str, Step, u64)] = &[
    ("AllocationFails", Step::Large(1 << 16), 0),
    ("AllocationPanics", Step::Large(1 << 16), 0),
    ("HostAllocationFails", Step::Large(300_000), 0),
    ("StreamDependencyFails", Step::Sum, 1),
    ("StreamStatusFails", Step::Sum, 1),
    ("RecordEventFails", Step::Sum, 1),
    ("WaitForEventFails", Step::Sum, 1),
    ("EventStatusError", Step::Sum, 1),
    ("EventStatusUnknown", Step::Sum, 1),
    ("EventStaysPending", Step::Sum, 1),
    ("BlockUntilDoneFails", Step::Wait, 1),
    ("CreateTimerFails", Step::Time, 1),
    ("StartTimerFails", Step::Time, 1),
    ("StopTimerFails", Step::Time, 1),
    ("CopyToHostRefused", Step::Sum, 1),
    ("CopyToHostFails", Step::Sum, 1),
    ("CopyToHostPanics", Step::Sum, 1),
    ("CopyToDeviceRefused", Step::Sum, 1),
    ("CopyToDeviceFails", Step::Sum, 1),
    ("CopyInDeviceRefused", Step::Copy, 1),
    ("CopyInDeviceFails", Step::Copy, 1),
    ("FillRefused", Step::Fill, 1),
    ("FillFails", Step::Fill, 1),
    ("CallbackRefused", Step::Sum, 1),
    ("KernelRefused", Step::Sum, 1),
    ("KernelFails", Step::Sum, 1),
    ("KernelPanics", Step::Sum, 1),
    ("StreamIsSlow", Step::Sum, 1),
];

/// Faults that strike while the device is opened, or at what it has in store afterwards: in a process of their own.
const AT_OPEN: &[&str] = &[
    "OpenFails",
    "DeviceCountFails",
    "CreateDeviceFails",
    "CreateStreamFails",
    "CreateEventFails",
    "MemoryUsageUnknown",
];

/// Faults that are looked at elsewhere: the first by `hung`, the others never strike, since this host waits for no
/// device as a whole before it ends, and for no event that calls back.
const ELSEWHERE: &[&str] = &["StreamHangs", "SynchronizeFails", "BlockForEventFails"];

struct Sim {
    device: Arc<dyn Device>,
    eager: EagerContext,
}

impl Sim {
    fn new() -> Self {
        let device = devices_of_type(sim::SIM).unwrap()[0].clone();
        Self { eager: EagerContext::new(Registry::global().unwrap().clone(), device.clone()), device }
    }

    fn queue(&self) -> &StreamExecutorContext {
        self.device.context().unwrap().as_any().downcast_ref().expect("a device of a plugin")
    }

    /// Takes a step and holds its result against what it must be.
    fn step(&self, step: Step) -> Result<()> {
        let count = if let Step::Large(count) = step { count } else { 1000 };
        let given = Tensor::from_vec([count], (0..count).map(|at| (at % 251) as f32).collect())?;
        let queue = self.device.context().unwrap();
        let sum = || self.eager.call_on(&self.device, "AddV2", &[&given, &given], &[])?.one(0);
        let (result, factor) = match step {
            Step::Sum | Step::Large(_) => (copy_to_host_blocking(&**queue, &sum()?)?, 2.0),
            Step::Copy => {
                (copy_to_host_blocking(&**queue, &queue.copy_in_device(&queue.copy_to_device(&given)?)?)?, 1.0)
            }
            Step::Fill => {
                let tensor = queue.copy_to_device(&given)?;
                self.queue().fill(&tensor, Fill::Zero)?;
                (copy_to_host_blocking(&**queue, &tensor)?, 0.0)
            }
            Step::Time => (self.timed(&given)?, 1.0),
            Step::Wait => {
                drop(sum()?);
                queue.synchronize()?;
                (given.clone(), 1.0)
            }
        };
        let expected: Vec<f32> = given.as_slice::<f32>()?.iter().map(|value| value * factor).collect();
        assert!(result.as_slice::<f32>()? == expected, "other values");
        Ok(())
    }

    fn timed(&self, given: &Tensor) -> Result<Tensor> {
        let mut copied = None;
        self.queue().time(|| {
            copied = Some(self.device.context().unwrap().copy_to_device(given)?);
            Ok(())
        })?;
        copy_to_host_blocking(&**self.device.context().unwrap(), &copied.unwrap())
    }

    /// What lives on the device when its work is done, and memory that nobody uses is on its way back and arrived.
    fn live(&self) -> BTreeMap<&'static str, u64> {
        self.device.release_unused_memory();
        self.device.context().unwrap().synchronize().unwrap();
        self.device.release_unused_memory();
        let counters = sim::counters(0).into_iter();
        counters
            .filter(|(name, _)| name.ends_with("_live") || *name == "work_pending" || *name == "wrong_uses")
            .collect()
    }
}

/// The error in one line, without what differs from one machine to the next.
pub(crate) fn told(error: &Error) -> String {
    let file = sim::file().unwrap();
    let text = format!("{:?}: {error}", error.code()).replace(&*file.to_string_lossy(), "FILE");
    text.replace("/job:localhost/replica:0/task:0/device:", "").replace("\n  ", " / ")
}

#[test]
fn each_fault_is_told_leaves_nothing_behind_and_the_next_step_is_right() {
    let _alone = sim::alone();
    let (sim, mut text) = (Sim::new(), String::new());
    for (fault, step, times) in FAULTS {
        let mut lives = Vec::new();
        sim.live();
        for round in 0..3 {
            sim::set_fault(fault, 0, *times);
            let outcome = sim.step(*step);
            sim::clear_faults();
            // Work that failed with nobody waiting for it is reported here.
            let later = sim.device.context().unwrap().synchronize();
            if round == 0 {
                let told = outcome.and(later).err().map_or_else(|| "no error".to_owned(), |error| told(&error));
                writeln!(text, "{fault} | {told}").unwrap();
            }
            sim.step(*step).unwrap_or_else(|error| panic!("{fault}, the next step: {error:?}"));
            sim.device.context().unwrap().synchronize().unwrap_or_else(|error| panic!("{fault}, after it: {error:?}"));
            lives.push(sim.live());
        }
        for (name, count) in &lives[2] {
            assert!(*count <= lives[0][name], "{fault} leaves {name}: {lives:?}");
        }
        assert_eq!((lives[2]["work_pending"], lives[2]["wrong_uses"]), (0, 0), "{fault}");
    }
    for fault in AT_OPEN {
        let told = opened_with(fault);
        writeln!(text, "{fault} | {told}").unwrap();
    }
    check_all_are_there();
    check_golden("faults.txt", &text);
}

fn check_all_are_there() {
    let mut known: Vec<&str> = FAULTS.iter().map(|(fault, ..)| *fault).collect();
    known.extend(AT_OPEN.iter().chain(ELSEWHERE));
    known.sort_unstable();
    let mut all = sim::fault_names();
    all.sort_unstable();
    assert_eq!(known, all);
}

/// What a process sees that loads the plugin with the fault, and whose next steps go on.
fn opened_with(fault: &str) -> String {
    let program = Command::new(env!("CARGO_BIN_EXE_open_sim"))
        .env("OPLINK_SIM_FAULTS", format!("{fault}:times=1"))
        .env("OPLINK_GPU", "off")
        .output();
    let program = program.unwrap();
    let output = String::from_utf8_lossy(&program.stdout).into_owned();
    assert!(program.status.success(), "{fault}: {output}{}", String::from_utf8_lossy(&program.stderr));
    output.replace(&*sim::file().unwrap().to_string_lossy(), "FILE").trim().to_owned()
}

/// Holds a text against a file of `expected`, which `UPDATE_EXPECT=1` writes.
pub(crate) fn check_golden(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("expected").join(file);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = |line: &&str| !expected.lines().any(|other| other == *line);
    let new: Vec<&str> = text.lines().filter(differs).collect();
    assert!(text == expected, "{} differs (UPDATE_EXPECT=1 writes it):\n{}", path.display(), new.join("\n"));
}
