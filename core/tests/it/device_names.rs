//! Names of devices, as TensorFlow 2.21 writes and reads them.

use oplink_core::DeviceName;
use proptest::prelude::*;

fn parsed(text: &str) -> DeviceName {
    DeviceName::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_form_is_read_and_printed_in_one() {
    let full = "/job:localhost/replica:0/task:0/device:CPU:0";
    let cases = [
        (full, full),
        ("/device:CPU:0", "/device:CPU:0"),
        ("/CPU:0", "/device:CPU:0"),
        ("CPU:0", "/device:CPU:0"),
        ("device:CPU:0", "/device:CPU:0"),
        ("CPU", "/device:CPU:*"),
        ("CPU:*", "/device:CPU:*"),
        ("/device:*:0", "/device:*:0"),
        ("/device:*:*", ""),
        ("/job:localhost", "/job:localhost"),
        ("/job:localhost/device:CPU:*", "/job:localhost/device:CPU:*"),
        ("/replica:0/job:localhost", "/job:localhost/replica:0"),
        ("/job:localhost/job:localhost/device:CPU:0", "/job:localhost/device:CPU:0"),
        ("/job:*/task:*/device:CPU:0", "/device:CPU:0"),
        ("/device:CPU:00", "/device:CPU:0"),
        ("/job:localhost/", "/job:localhost"),
        ("//device:CPU:0", "/device:CPU:0"),
        ("/device:my_dev:7", "/device:my_dev:7"),
        ("/", ""),
        ("", ""),
    ];
    for (text, printed) in cases {
        assert_eq!(parsed(text).to_string(), printed, "{text}");
        assert_eq!(parsed(printed), parsed(text), "{text}");
    }
    assert_eq!(parsed(full), DeviceName::local("CPU", 0));
    assert!(parsed(full).is_full() && !parsed("/device:CPU:0").is_full());
    assert_eq!((parsed(full).short(), parsed("/job:a").short()), ("CPU:0".to_owned(), "*:*".to_owned()));
}

#[test]
fn what_is_no_name_is_refused_with_the_part_at_fault() {
    let cases = [
        ("/device:CPU:-1", "`-1` is no number"),
        ("/device:CPU:x", "`x` is no number"),
        ("/device:CPU:99999999999", "`99999999999` is no number"),
        ("/device:CPU:0:1", "`0:1` is no number"),
        ("/task:x", "`x` is no number"),
        ("/job:9a", "`9a` is no job: a letter, then letters, digits and underscores"),
        ("/job:local-host/device:CPU:0", "`local-host` is no job: a letter, then letters, digits and underscores"),
        ("/:0", "`` is no device type: a letter, then letters, digits and underscores"),
        ("/device", "`device` has no value"),
        ("/job", "`job` has no value"),
        ("/job:a/job:b", "it says both a and b"),
        ("CPU:0/GPU:0", "it says both CPU and GPU"),
    ];
    for (text, problem) in cases {
        let error = DeviceName::parse(text).unwrap_err();
        let said = format!(
            "`{text}` is no device name: {problem}; write it as `/job:localhost/replica:0/task:0/device:GPU:0`, \
             `/device:GPU:0` or `GPU:0`, where parts may be left out or `*`"
        );
        assert_eq!(error.message(), said);
    }
}

#[test]
fn partial_names_match_what_they_leave_open() {
    let full = parsed("/job:localhost/replica:0/task:0/device:GPU:1");
    let yes =
        ["", "GPU", "gpu:1", "/device:*:1", "/job:localhost/task:0", "/job:localhost/replica:0/task:0/device:GPU:1"];
    assert!(yes.iter().all(|name| parsed(name).matches(&full)), "{yes:?}");
    let no = ["GPU:0", "CPU:1", "/job:worker", "/task:1/device:GPU:1", "/replica:1"];
    assert!(no.iter().all(|name| !parsed(name).matches(&full)), "{no:?}");
    assert!(!full.matches(&parsed("GPU:1")));
}

#[test]
fn merged_names_mean_what_both_mean() {
    let merge = |one: &str, other: &str| parsed(one).merge(&parsed(other)).map(|name| name.to_string());
    assert_eq!(merge("/job:worker", "GPU:1").unwrap(), "/job:worker/device:GPU:1");
    assert_eq!(merge("GPU", "/device:gpu:1").unwrap(), "/device:GPU:1");
    assert_eq!(merge("", "").unwrap(), "");
    let error = merge("GPU:0", "/job:a/device:GPU:1").unwrap_err();
    assert_eq!(error.message(), "no device is both `/device:GPU:0` and `/job:a/device:GPU:1`");
    assert!(merge("GPU:0", "CPU").is_err());
}

#[test]
fn a_number_counts_with_its_type() {
    let or = |one: &str, other: &str| parsed(one).or(&parsed(other)).to_string();
    assert_eq!(or("/job:a/device:GPU:*", "/gpu:1"), "/job:a/device:GPU:1");
    assert_eq!(or("CPU", "/task:2/device:GPU:1"), "/task:2/device:CPU:*");
    assert_eq!(parsed("/job:a/device:GPU:1").softened().to_string(), "/job:a");
}

fn names() -> impl Strategy<Value = DeviceName> {
    let identifier = || prop::option::of("[a-zA-Z][a-zA-Z0-9_]{0,6}");
    let number = || prop::option::of(0u32..3);
    (identifier(), number(), number(), identifier(), number())
        .prop_map(|(job, replica, task, device_type, index)| DeviceName { job, replica, task, device_type, index })
}

proptest! {
    #[test]
    fn printing_and_reading_agree(name in names()) {
        prop_assert_eq!(parsed(&name.to_string()), name);
    }

    #[test]
    fn a_merged_name_is_matched_by_both(one in names(), other in names()) {
        match one.merge(&other) {
            Ok(merged) => prop_assert!(one.matches(&merged) && other.matches(&merged)),
            Err(_) => prop_assert!(!one.matches(&other) && !other.matches(&one)),
        }
    }

    #[test]
    fn any_text_is_a_name_or_an_error(text in "[/:*a-zA-Z0-9_-]{0,30}") {
        if let Ok(name) = DeviceName::parse(&text) {
            prop_assert_eq!(parsed(&name.to_string()), name);
        }
    }
}
