//! `Print`: passes a tensor on and writes others to standard error.
//!
//! A run writes the attr `message` and, in brackets, the first `summarize` elements of each tensor in `data`; the first `first_n` runs
//! of a node do, or all where it is negative.

use std::io::{Write, stderr};
use std::sync::atomic::{AtomicI64, Ordering};

use oplink::prelude::*;

use super::summarize::{Layout, summarize};

/// Passes a tensor on and prints others.
#[op("Print",
     input = "input: T",
     input = "data: U",
     output = "output: T",
     attr = "T: type",
     attr = "U: list(type) >= 0",
     attr = "message: string = ''",
     attr = "first_n: int = -1",
     attr = "summarize: int = 3",
     stateful,
     shape = shape_fns::unchanged)]
pub struct Print;

/// `Print` of every dtype; counts its runs.
pub struct PrintCpu {
    left: Option<AtomicI64>,
}

#[kernel(Print, device = CPU, T = any)]
impl Kernel for PrintCpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let first: i64 = construction.attr("first_n")?;
        Ok(Self { left: (first >= 0).then(|| AtomicI64::new(first)) })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let is_wanted = |left: &AtomicI64| left.fetch_sub(1, Ordering::Relaxed) > 0;
        if self.left.as_ref().is_none_or(is_wanted) {
            let line = line(context)?;
            stderr()
                .write_all(&line)
                .map_err(|error| Error::internal(format!("writing to standard error: {error}")))?;
        }
        let input = context.take_input(0);
        context.set_output(0, input);
        Ok(())
    }
}

fn line(context: &KernelContext<'_>) -> Result<Vec<u8>> {
    let limit = context.attr("summarize")?;
    let mut line = context.attr::<&[u8]>("message")?.to_vec();
    for tensor in &context.inputs()[1..] {
        line.push(b'[');
        line.extend(summarize(tensor, limit, Layout::Line));
        line.push(b']');
    }
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::run;

    #[test]
    fn passes_the_input_on() {
        let attrs = [("message", "values: ".into()), ("T", DType::Int32.into()), ("first_n", 0.into())];
        let out = run("Print", &attrs, vec![7.into()]).unwrap();
        assert_eq!(out[0].to_scalar::<i32>().unwrap(), 7);
    }
}
