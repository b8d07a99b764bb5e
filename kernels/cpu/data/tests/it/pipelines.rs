//! Graphs of TensorFlow with an iterator give the elements that it took from them: `tests/oracle/pipelines`, written by
//! `make_pipelines.py`.

use std::fmt::Write;

use crate::pipeline::{Pipeline, folder};

/// Names of the pipelines, in order.
pub(crate) fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let graphs = files.filter(|path| path.extension().is_some_and(|extension| extension == "pb"));
    let mut names: Vec<_> = graphs.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn pipelines_give_the_elements_of_tensorflow() {
    let names = names();
    assert!(names.len() >= 15, "{} pipelines", names.len());
    let mut failed = String::new();
    for name in names {
        let text = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
        let wanted: Vec<&str> = text.lines().collect();
        let got = Pipeline::start(&name).map(|pipeline| pipeline.take(wanted.len()));
        let got = got.unwrap_or_else(|error| vec![error.to_string()]);
        let differs =
            (0..wanted.len().max(got.len())).find(|&at| wanted.get(at).copied() != got.get(at).map(String::as_str));
        if let Some(at) = differs {
            let (wanted, got) = (wanted.get(at).unwrap_or(&""), got.get(at).map_or("", String::as_str));
            writeln!(failed, "{name}, element {at}:\n  wanted {wanted}\n     got {got}").unwrap();
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn iterators_go_on_from_where_they_were_saved() {
    for name in names() {
        let pipeline = Pipeline::start(&name).unwrap();
        for taken in [0, 1, 4] {
            if pipeline.take(taken).iter().any(|line| line.starts_with('e')) {
                break;
            }
            // One variant, which the graphs feed to a placeholder of a scalar.
            let mut saved = pipeline.session.run(&[], &["save:0"], &[]).unwrap();
            let saved = saved.swap_remove(0).with_shape(Vec::new()).unwrap();
            let wanted = pipeline.take(50);
            for _ in 0..2 {
                pipeline.session.run(&[("saved:0", saved.clone())], &[], &["restore"]).unwrap();
                assert_eq!(pipeline.take(50), wanted, "{name} after {taken} more");
            }
            pipeline.session.run(&[("saved:0", saved.clone())], &[], &["restore"]).unwrap();
        }
    }
}
