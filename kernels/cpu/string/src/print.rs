//! `Print` and `PrintV2`: tensors and strings written to a stream.
//!
//! `Print` forwards a tensor and writes others to standard error: a run writes the attr `message` and, in brackets, the
//! first `summarize` elements of each tensor in `data`; the first `first_n` runs of a node do, or all where it is
//! negative.
//!
//! `PrintV2` writes its scalar `input`, and the attr `end` after it, to the attr `output_stream`: `stdout`, `stderr`,
//! one of `log(info)`, `log(warning)` and `log(error)` (standard error as well), or `file://` and a path, to whose end
//! it is appended. Where the process has listeners, they receive the text instead of all but files.

use super::strings::scalar;
use super::summarize::{Layout, summarize};
use oplink::log;
use oplink::prelude::*;
use oplink_ops::string::{Print, PrintInputs, PrintOutputs, PrintV2, Timestamp};
use std::fs::OpenOptions;
use std::io::{self, Write, stderr, stdout};
use std::sync::atomic::{AtomicI64, Ordering};

/// `Print` of every dtype; counts its runs.
pub struct PrintCpu {
    left: Option<AtomicI64>,
    message: Vec<u8>,
    summarize: i64,
}

#[kernel(Print, device = CPU, T = any)]
impl Kernel for PrintCpu {
    type Op = Print;

    fn new(construction: Construction<'_, Print>) -> Result<Self> {
        let attrs = construction.attrs;
        Ok(Self {
            left: (attrs.first_n >= 0).then(|| AtomicI64::new(attrs.first_n)),
            message: attrs.message.to_vec(),
            summarize: attrs.summarize,
        })
    }

    fn compute(&self, inputs: PrintInputs<'_>, outputs: &mut PrintOutputs<'_>, _: Env<'_>) -> Result<()> {
        let is_wanted = |left: &AtomicI64| left.fetch_sub(1, Ordering::Relaxed) > 0;
        if self.left.as_ref().is_none_or(is_wanted) {
            stderr()
                .write_all(&self.line(&inputs.data))
                .map_err(|error| Error::internal(format!("writing to standard error: {error}")))?;
        }
        outputs.output.set(inputs.input.take());
        Ok(())
    }
}

impl PrintCpu {
    fn line(&self, data: &[Tensor]) -> Vec<u8> {
        let mut line = self.message.clone();
        for tensor in data {
            line.push(b'[');
            line.extend(summarize(tensor, self.summarize, Layout::Line));
            line.push(b']');
        }
        line.push(b'\n');
        line
    }
}

/// What `PrintV2` writes to.
enum Stream<'a> {
    Output,
    Error,
    Log,
    File(&'a str),
}

/// `PrintV2`.
#[kernel(PrintV2, device = CPU)]
pub fn print_v2_cpu(input: &Tensor, output_stream: &str, end: &[u8]) -> Result<()> {
    let stream = match output_stream {
        "stdout" => Stream::Output,
        "stderr" => Stream::Error,
        "log(info)" | "log(warning)" | "log(error)" => Stream::Log,
        other => match other.strip_prefix("file://") {
            Some(path) => Stream::File(path),
            None => bail!(
                "output_stream must be stdout, stderr, log(info), log(warning), log(error) or a path after file://, \
                 it is {other}"
            ),
        },
    };
    let end: &[u8] = if matches!(stream, Stream::Log) { b"\n" } else { end };
    let text = [scalar(input, "input")?, end].concat();
    stream.write(&text).map_err(|error| {
        let target = match &stream {
            Stream::Output => "standard output",
            Stream::Error | Stream::Log => "standard error",
            Stream::File(path) => path,
        };
        Error::new(Code::Unknown, ErrorKind::Resource, format!("cannot write to {target}: {error}"))
    })
}

impl Stream<'_> {
    fn write(&self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::Output | Self::Error | Self::Log if log::tell(text) => Ok(()),
            Self::Output => {
                let mut output = stdout().lock();
                output.write_all(text)?;
                output.flush()
            }
            Self::Error | Self::Log => stderr().write_all(text),
            Self::File(path) => OpenOptions::new().append(true).create(true).open(path)?.write_all(text),
        }
    }
}

/// `Timestamp`: seconds since 1970.
#[kernel(Timestamp, device = CPU)]
pub fn timestamp_cpu() -> f64 {
    oplink_bundle::wall_time()
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn the_input_is_forwarded() {
        let attrs = [("message", "values: ".into()), ("T", DType::Int32.into()), ("first_n", 0.into())];
        let out = run("Print", &attrs, vec![7.into()]).unwrap();
        assert_eq!(out[0].to_scalar::<i32>().unwrap(), 7);
        let bytes = [("message", AttrValue::String(vec![0xff])), ("first_n", 0.into())];
        assert!(run("Print", &bytes, vec![7.into()]).is_ok());
    }

    #[test]
    fn appends_to_a_file() {
        let path = std::env::temp_dir().join(format!("oplink-print-v2-{}", std::process::id()));
        let attrs = [("output_stream", format!("file://{}", path.display()).into()), ("end", "!".into())];
        for _ in 0..2 {
            run("PrintV2", &attrs, vec!["ab".into()]).unwrap();
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"ab!ab!");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn other_streams_and_shapes_are_errors() {
        assert!(run("PrintV2", &[("output_stream", "printer".into())], vec!["a".into()]).is_err());
        assert!(run("PrintV2", &[], vec![[TString::from("a")].into()]).is_err());
    }
}
