//! `oplink run`.

use crate::command::{model, oplink, printed, temporary};

#[test]
fn an_archive_feeds_and_compares() {
    let text =
        printed(&["run", &model("digits/digits.pb"), "--npz", &model("digits/digits.npz"), "--tolerance", "1e-5"]);
    assert_eq!(text.matches(": agrees").count(), 2, "{text}");
    assert!(text.contains("Identity:0: agrees (relative error 0.00e0)"), "{text}");
}

#[test]
fn a_comparison_that_fails_is_a_failure() {
    let run = oplink(&["run", &model("digits/digits.pb"), "--npz", &model("digits/digits.npz"), "--tolerance=-1"]);
    assert!(!run.success && run.stdout.contains("DIFFERS"), "{}", run.stdout);
}

#[test]
fn a_picture_is_read() {
    for digit in 0..10 {
        let feed = format!("image={}", model(&format!("digits/digit-{digit}.png")));
        let text = printed(&["run", &model("digits/digits.pb"), "--feed", &feed, "--fetch", "label"]);
        assert_eq!(text.trim_end(), format!("label  int64[1] [{digit}]"), "digit-{digit}.png");
    }
}

#[test]
fn outputs_are_saved_and_fed_again() {
    let folder = temporary("saved");
    let save = folder.to_str().expect("UTF-8");
    let feed = format!("image={}", model("digits/digit-4.png"));
    let text = printed(&["run", &model("digits/digits.pb"), "--feed", &feed, "--fetch", "Cast", "--save", save]);
    assert!(text.contains("Cast.npy"), "{text}");
    let feed = format!("Cast={}", folder.join("Cast.npy").display());
    let text = printed(&["run", &model("digits/digits.pb"), "--feed", &feed, "--fetch", "label", "--repeat", "3"]);
    assert!(text.starts_with("median of 3 runs: ") && text.contains("[4]"), "{text}");
}

#[test]
fn a_trace_is_a_timeline() {
    let (feed, file) = (format!("image={}", model("digits/digit-4.png")), temporary("trace.json"));
    let trace = file.to_str().expect("UTF-8");
    let text = printed(&["run", &model("digits/digits.pb"), "--feed", &feed, "--fetch", "label", "--trace", trace]);
    assert!(text.contains("[4]") && text.contains("trace.json"), "{text}");
    let written = std::fs::read_to_string(&file).expect("the trace is there");
    assert!(written.contains("\"traceEvents\"") && written.contains("\"name\":\"_FusedConv2D\""), "{written}");
}

#[test]
fn a_run_without_time_stops() {
    let feed = format!("image={}", model("digits/digit-4.png"));
    let run = |seconds| {
        oplink(&["run", &model("digits/digits.pb"), "--feed", &feed, "--fetch", "label", "--timeout", seconds])
    };
    assert!(run("60").success);
    let stopped = run("0");
    assert!(!stopped.success && stopped.stderr.contains("did not end before its deadline"), "{}", stopped.stderr);
    let wrong = run("nan");
    assert!(!wrong.success && wrong.stderr.contains("--timeout NaN"), "{}", wrong.stderr);
}
