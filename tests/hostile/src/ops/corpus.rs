//! Calls that TensorFlow answered: what kernels are tested with.

use std::collections::HashMap;

use super::call::{Argument, Call};
use crate::random::Random;

#[path = "../../../../kernels/cpu/tests/it/case.rs"]
#[allow(dead_code, reason = "the answers are not looked at")]
mod case;

/// Tables of cases, and of programs.
const TABLES: &[&str] = &[
    include_str!("../../../../kernels/cpu/tests/oracle/array.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/array_indices.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/array_layout.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/einsum.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/math.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/math_casts.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/math_special.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/nn.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/nn_fused.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/nn_gradients.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/nn_more.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/nn_pools.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/nn_quantized.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/random.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/reduction.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/segments.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/signal.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/state_arrays.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/state_lists.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/state_queues.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/state_slices.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/state_tables.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/state_variables.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/string.txt"),
    include_str!("../../../../kernels/cpu/tests/oracle/training.txt"),
];

/// A line of a program.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) program: usize,
    pub(super) line: usize,
}

/// The calls by op.
pub(super) struct Corpus {
    /// A case that stands alone is a program of one line.
    programs: Vec<Vec<&'static str>>,
    sites: HashMap<&'static str, Vec<Site>>,
    /// Those of several lines.
    long: Vec<usize>,
}

impl Corpus {
    pub(super) fn read() -> Self {
        let mut programs: Vec<Vec<&'static str>> = Vec::new();
        for table in TABLES {
            let mut is_open = false;
            for line in table.lines() {
                if line.starts_with("# ") {
                    is_open = true;
                    programs.push(Vec::new());
                } else if let (true, Some(program)) = (is_open, programs.last_mut()) {
                    program.push(line);
                } else {
                    programs.push(vec![line]);
                }
            }
        }
        let mut sites: HashMap<&'static str, Vec<Site>> = HashMap::new();
        for (program, lines) in programs.iter().enumerate() {
            for (line, text) in lines.iter().enumerate() {
                let fields: Vec<&str> = text.split('|').collect();
                let op = fields[fields.len() - 5];
                sites.entry(op).or_default().push(Site { program, line });
            }
        }
        let long = (0..programs.len()).filter(|&program| programs[program].len() > 1).collect();
        Self { programs, sites, long }
    }

    /// Where an op is called.
    pub(super) fn sites(&self, op: &str) -> &[Site] {
        self.sites.get(op).map_or(&[], Vec::as_slice)
    }

    /// The end of a program that makes resources.
    pub(super) fn any_program(&self, random: &mut Random) -> Option<Site> {
        let program = *self.long.get(random.below(self.long.len()))?;
        Some(Site { program, line: self.programs[program].len() })
    }

    /// The calls of the program before a line.
    pub(super) fn before(&self, Site { program, line }: Site) -> Vec<Call> {
        self.programs[program][..line].iter().filter_map(|line| read(line)).collect()
    }

    /// The call of a line.
    pub(super) fn call(&self, Site { program, line }: Site) -> Option<Call> {
        read(self.programs[program][line])
    }
}

fn read(line: &str) -> Option<Call> {
    let fields: Vec<&str> = line.split('|').collect();
    let (names, fields) = if fields.len() == 6 { (fields[0], &fields[1..]) } else { ("", &fields[..]) };
    let &[op, attrs, inputs, _, _] = fields else { return None };
    let input = |text: &str| match text.split_once('[') {
        Some(_) => Argument::Tensor(case::tensor(text)),
        None => Argument::Made(text.to_owned()),
    };
    Some(Call {
        op: op.to_owned(),
        attrs: case::texts(attrs).map(case::attr).map(|(name, value)| (name.to_owned(), value)).collect(),
        inputs: case::texts(inputs).map(input).collect(),
        names: names.split([',', ';']).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
    })
}
