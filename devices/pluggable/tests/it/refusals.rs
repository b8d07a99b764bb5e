//! What is refused: the reason names what is missing and where, and nothing of the plugin is left.

use std::sync::Arc;

use oplink_api::{Error, ErrorKind};

use crate::plugin::World;

/// The error of opening a plugin that is as it should be but for what `change` does.
#[track_caller]
fn refused(change: impl FnOnce(&mut World)) -> Error {
    let world = World::new(change);
    let error = world.devices().err().expect("a refusal");
    assert_eq!(error.kind(), ErrorKind::PluginRejected, "{error}");
    let left: Vec<_> =
        world.left().into_iter().filter(|(what, _)| !world.omitted.iter().any(|o| o.ends_with(what))).collect();
    assert_eq!(left, [], "{error}");
    error
}

#[track_caller]
fn check(change: impl FnOnce(&mut World), parts: &[&str]) {
    let error = refused(change);
    parts.iter().for_each(|part| assert!(error.to_string().contains(part), "{part:?} is not in: {error}"));
}

const REQUIRED: &[(&str, &[&str])] = &[
    ("SE_PlatformRegistrationParams", &["destroy_platform", "destroy_platform_fns"]),
    ("SP_Platform", &["name", "type"]),
    (
        "SP_PlatformFns",
        &[
            "get_device_count",
            "create_device",
            "destroy_device",
            "create_device_fns",
            "destroy_device_fns",
            "create_stream_executor",
            "destroy_stream_executor",
        ],
    ),
    (
        "SP_StreamExecutor",
        &[
            "allocate",
            "deallocate",
            "host_memory_allocate",
            "host_memory_deallocate",
            "get_allocator_stats",
            "device_memory_usage",
            "create_stream",
            "destroy_stream",
            "create_stream_dependency",
            "get_stream_status",
            "create_event",
            "destroy_event",
            "get_event_status",
            "record_event",
            "wait_for_event",
            "memcpy_dtoh",
            "memcpy_htod",
            "sync_memcpy_dtoh",
            "sync_memcpy_htod",
            "block_host_for_event",
            "synchronize_all_activity",
            "mem_zero",
            "memset",
            "memset32",
            "host_callback",
        ],
    ),
    ("SP_TimerFns", &["nanoseconds"]),
];

#[test]
fn a_missing_required_callback_is_named_with_its_struct() {
    for (name, fields) in REQUIRED {
        for field in *fields {
            let part = format!("its {name} lacks `{field}`, which is required");
            check(|world| world.omitted.extend([field]), &[&part]);
        }
    }
}

#[test]
fn all_that_is_missing_is_named_at_once() {
    check(|world| world.omitted.extend(["memset", "allocate"]), &["lacks `allocate`, `memset`, which are required"]);
}

#[test]
fn one_way_to_copy_within_the_device_is_required() {
    check(
        |world| world.omitted.extend(["memcpy_dtod", "sync_memcpy_dtod"]),
        &["SP_StreamExecutor lacks `memcpy_dtod`"],
    );
}

#[test]
fn unified_memory_is_required_of_platforms_that_have_it() {
    let lacks = |world: &mut World| {
        world.has_unified_memory = true;
        world.omitted.extend(["unified_memory_allocate", "unified_memory_deallocate"]);
    };
    check(lacks, &["lacks `unified_memory_allocate`, `unified_memory_deallocate`"]);
}

#[test]
fn what_is_optional_may_be_left_out() {
    let mut world = World::default();
    world.omitted.extend([
        "block_host_until_done",
        "unified_memory_allocate",
        "unified_memory_deallocate",
        "create_timer_fns",
        "create_timer",
        "start_timer",
        "stop_timer",
        "destroy_timer",
        "sync_memcpy_dtod",
        "get_numa_node",
        "get_memory_bandwidth",
        "get_gflops",
    ]);
    let world = Arc::new(world);
    drop(world.devices().unwrap());
    world.check_nothing_is_left();
}

/// The structs that a plugin gives its sizes of.
const STRUCTS: [&str; 7] = [
    "SE_PlatformRegistrationParams",
    "SP_Platform",
    "SP_PlatformFns",
    "SP_StreamExecutor",
    "SP_DeviceFns",
    "SP_Device",
    "SP_TimerFns",
];

#[test]
fn every_struct_tells_its_size() {
    for name in STRUCTS {
        let part = format!("its {name} does not tell its size: set `struct_size`");
        check(|world| world.sizes.extend([(name, 0)]), &[&part]);
    }
}

#[test]
fn a_shorter_struct_is_refused_with_the_first_field_that_it_lacks() {
    let cases = [
        ("SP_StreamExecutor", 280, "host_callback"),
        ("SP_StreamExecutor", 16, "allocate"),
        ("SP_PlatformFns", 40, "create_device_fns"),
        ("SP_Platform", 24, "type"),
        ("SE_PlatformRegistrationParams", 56, "destroy_platform_fns"),
        ("SP_TimerFns", 16, "nanoseconds"),
    ];
    for (name, size, field) in cases {
        let part = format!("its {name} has {size} bytes and ends before `{field}`, which this host needs");
        check(|world| world.sizes.extend([(name, size)]), &[&part]);
    }
}

#[test]
fn a_longer_struct_is_that_of_a_newer_plugin() {
    let mut world = World::default();
    for name in STRUCTS {
        world.sizes.insert(name, 400);
    }
    let world = Arc::new(world);
    assert_eq!(world.devices().unwrap().len(), 1);
    world.check_nothing_is_left();
}

#[test]
fn fields_behind_the_plugins_end_are_absent() {
    let mut world = World::default();
    // Ends behind `name` and `type`: the plugin knows nothing of the flags behind.
    world.sizes.insert("SP_Platform", 32);
    world.has_unified_memory = true;
    world.omitted.extend(["unified_memory_allocate", "unified_memory_deallocate"]);
    let world = Arc::new(world);
    drop(world.devices().unwrap());
    world.check_nothing_is_left();
}

#[test]
fn names_are_capital_letters_and_underscores() {
    for bad in [c"", c"tested", c"_TESTED", c"TESTED2", c"TE STED", c"T\xc3\x84"] {
        let shown = format!("{:?}", bad.to_string_lossy());
        check(|world| world.name = bad, &["its platform's name is", &shown, "capital letters and underscores"]);
        check(|world| world.device_type = bad, &["its platform's type is", &shown]);
    }
}

#[test]
fn another_version_is_refused() {
    check(|world| world.major_version = 1, &["StreamExecutor interface is of version 1.0.1, this host has 0.0.1"]);
}

#[test]
fn a_plugin_that_fails_is_refused_with_its_own_reason() {
    for function in
        ["init", "get_device_count", "create_device_fns", "create_stream_executor", "create_timer_fns", "create_device"]
    {
        let said = format!("{function} was told to fail");
        check(|world| world.fail(function, 1, 13), &[&said]);
    }
    check(|world| world.device_count = -3, &["its platform TEST_PLATFORM tells of -3 devices"]);
}

#[test]
fn devices_are_made_all_or_none() {
    let world = World::new(|world| world.device_count = 3);
    let platform = world.open().unwrap();
    assert_eq!((platform.name(), platform.device_type(), platform.device_count()), ("TEST_PLATFORM", "TESTED", 3));
    assert_eq!((world.alive("device"), world.alive("stream_executor")), (0, 1));
    // The second device, and the third one's second stream.
    for (working, function, device) in [(1, "create_device", "TESTED:1"), (7, "create_stream", "TESTED:2")] {
        world.fail_after(working, function, 8);
        let error = platform.create_devices(&oplink_core::DeviceOptions::default()).err().unwrap();
        assert!(error.to_string().contains(device), "{error}");
        let start = std::time::Instant::now();
        while world.alive("device") > 0 && start.elapsed().as_secs() < 5 {
            std::thread::yield_now();
        }
        assert_eq!((world.alive("device"), world.alive("stream"), world.alive("event")), (0, 0, 0));
    }
    drop(platform);
    world.check_nothing_is_left();
}
