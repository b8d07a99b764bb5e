//! Failures that are declared: a file for each kind of device. Of a kind without a file every failure is unexpected but
//! that there is no kernel.
//!
//! A line is `op | reason | dtypes | why`. A dtype by itself stands for all cases of the op and dtype; `float 2/7` for
//! two of seven. Lines of the reason `no kernel` say all by themselves, the others need a why: at their end, or for all
//! lines of a reason in one of the form `# reason: why` at the top. With `UPDATE_EXPECT=1` the file is written anew;
//! the lines at the top, and every why of a line that is still there, are kept.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::outcome::{Outcome, Reason};
use crate::run::{Ran, Report};

/// What is declared for a kind of device.
#[derive(Debug)]
pub struct Expected {
    path: PathBuf,
    text: String,
    has_file: bool,
}

impl Expected {
    /// Reads the file of a kind.
    pub fn of(kind: &str) -> Self {
        let path = crate::sources::expected(kind);
        let read = std::fs::read_to_string(&path);
        Self { path, has_file: read.is_ok(), text: read.unwrap_or_default() }
    }

    /// What is not as declared, line by line; empty where all is.
    ///
    /// # Panics
    /// The file cannot be written where that is asked for.
    pub fn check(&self, report: &Report) -> String {
        let mut actual = self.lines_of(report);
        if !self.has_file && std::env::var_os("UPDATE_EXPECT").is_none() {
            actual.retain(|(_, reason), _| !reason.is_no_kernel());
        }
        let head = self.head().fold(String::new(), |text, line| text + line + "\n");
        let text = head + &actual.values().map(|line| line.text.as_str()).collect::<String>();
        if std::env::var_os("UPDATE_EXPECT").is_some() && text != self.text {
            std::fs::write(&self.path, &text).expect("the file of expected failures");
        } else if text != self.text {
            return self.differences(&actual);
        }
        let unexplained = actual.values().filter(|line| line.text.ends_with("|\n") && !line.needs_no_why);
        unexplained.fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "say why in {}: {}    {}", self.path.display(), line.text, line.first);
            text
        })
    }

    fn lines_of(&self, report: &Report) -> BTreeMap<(String, Reason), Line> {
        let mut totals: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut failures: BTreeMap<(&str, Reason), BTreeMap<&str, Vec<&Ran>>> = BTreeMap::new();
        for ran in &report.cases {
            *totals.entry((&ran.op, &ran.dtype)).or_default() += 1;
            if let Outcome::Failed(reason, _) = &ran.outcome {
                failures.entry((&ran.op, reason.clone())).or_default().entry(&ran.dtype).or_default().push(ran);
            }
        }
        let of_dtype = |op: &str, (dtype, failed): (&&str, &Vec<&Ran>)| match totals[&(op, *dtype)] {
            total if total == failed.len() => (*dtype).to_owned(),
            total => format!("{dtype} {}/{total}", failed.len()),
        };
        let line = |((op, reason), dtypes): ((&str, Reason), BTreeMap<&str, Vec<&Ran>>)| {
            let list: Vec<String> = dtypes.iter().map(|entry| of_dtype(op, entry)).collect();
            let start = format!("{op} | {reason} |");
            let why = self.why(&start).unwrap_or_default();
            let text = format!("{start} {} | {why}", list.join(", "));
            let first = dtypes.values().flatten().next().map_or_else(String::new, |ran| described(ran));
            let line =
                Line { text: text.trim_end().to_owned() + "\n", first, needs_no_why: self.is_explained(&reason) };
            ((op.to_owned(), reason), line)
        };
        failures.into_iter().map(line).collect()
    }

    fn head(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| line.starts_with("# "))
    }

    /// Whether a line of this reason needs no why of its own.
    fn is_explained(&self, reason: &Reason) -> bool {
        reason.is_no_kernel() || self.head().any(|line| line.starts_with(&format!("# {reason}: ")))
    }

    fn why(&self, start: &str) -> Option<&str> {
        let line = self.text.lines().find(|line| line.starts_with(start))?;
        line.rsplit_once('|').map(|(_, why)| why.trim())
    }

    fn differences(&self, actual: &BTreeMap<(String, Reason), Line>) -> String {
        let mut text =
            format!("what fails is not what {} declares (UPDATE_EXPECT=1 writes it):\n", self.path.display());
        let is_declared = |line: &str| self.text.lines().any(|declared| declared == line.trim_end());
        for line in actual.values().filter(|line| !is_declared(&line.text)) {
            let _ = writeln!(text, "+ {}    {}", line.text, line.first);
        }
        let fails = |declared: &str| actual.values().any(|line| line.text.trim_end() == declared);
        for declared in self.text.lines().filter(|declared| !declared.starts_with("# ") && !fails(declared)) {
            let _ = writeln!(text, "- {declared}");
        }
        text
    }
}

/// A line of the file, and the first case that it stands for.
struct Line {
    text: String,
    first: String,
    needs_no_why: bool,
}

fn described(ran: &Ran) -> String {
    let (file, number) = &ran.place;
    let what = match &ran.outcome {
        Outcome::Passed => "passed",
        Outcome::Failed(_, what) => what,
    };
    let what: String = what.chars().take(600).collect();
    format!("{file}.txt:{number}: {what}")
}
