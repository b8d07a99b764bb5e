//! The recorded ratios: what a later measurement may not fall behind.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use super::runtime::Runtime;
use crate::source::root;

/// How much worse than the recorded one a ratio may be.
const ALLOWED: f64 = 1.1;

/// What a ratio is of: the network, the number of threads, the other runtime.
pub(super) type Key = (String, usize, String);

/// Ratios of oplink's time to that of another runtime.
#[derive(Default)]
pub(super) struct Ratios(pub(super) BTreeMap<Key, f64>);

impl Ratios {
    pub(super) fn add(&mut self, network: &str, threads: usize, other: Runtime, ratio: f64) {
        if ratio.is_finite() {
            self.0.insert((network.to_owned(), threads, other.title().to_owned()), ratio);
        }
    }

    /// The recorded ratios; none where nothing was recorded.
    pub(super) fn recorded() -> io::Result<Self> {
        let text = match fs::read_to_string(path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            text => text?,
        };
        let row = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [network, threads, other, ratio] = fields[..] else { return None };
            Some(((network.to_owned(), threads.parse().ok()?, other.to_owned()), ratio.parse().ok()?))
        };
        Ok(Self(text.lines().skip(1).filter_map(row).collect()))
    }

    /// Records these ratios beside those of networks that were not measured.
    pub(super) fn record(&self) -> io::Result<()> {
        let mut all = Self::recorded()?.0;
        all.extend(self.0.clone());
        let rows =
            all.iter().map(|((network, threads, other), ratio)| format!("{network}\t{threads}\t{other}\t{ratio:.3}\n"));
        fs::write(path(), "network\tthreads\tother\tratio\n".to_owned() + &rows.collect::<String>())
    }

    /// A line for each ratio that is worse than the recorded one.
    pub(super) fn worse_than(&self, recorded: &Self) -> Vec<String> {
        let worse = |(key, ratio): (&Key, &f64)| {
            let before = recorded.0.get(key).filter(|before| *ratio > **before * ALLOWED)?;
            let (network, threads, other) = key;
            Some(format!(
                "{network} with {threads} thread(s) takes {ratio:.2} of {other}'s time; {before:.2} is recorded"
            ))
        };
        self.0.iter().filter_map(worse).collect()
    }
}

fn path() -> PathBuf {
    root().join("benches/networks/recorded.tsv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_more_is_told() {
        let ratios = |ratio| {
            let mut ratios = Ratios::default();
            ratios.add("net", 2, Runtime::TensorFlow, ratio);
            ratios
        };
        assert!(ratios(0.54).worse_than(&ratios(0.5)).is_empty());
        assert!(ratios(0.9).worse_than(&Ratios::default()).is_empty());
        assert!(ratios(f64::NAN).0.is_empty());
        let told = ratios(0.56).worse_than(&ratios(0.5));
        assert_eq!(told, ["net with 2 thread(s) takes 0.56 of TensorFlow's time; 0.50 is recorded"]);
    }
}
