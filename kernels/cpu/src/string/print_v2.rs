//! `PrintV2`: writes a string.
//!
//! `input` is a scalar; it is written, and the attr `end` after it, to the attr `output_stream`: `stdout`, `stderr`, one of `log(info)`,
//! `log(warning)` and `log(error)` (standard error as well), or `file://` and a path, to whose end it is appended. Where the
//! process has listeners, they are told instead of all but files.

use std::fs::OpenOptions;
use std::io::{self, Write, stderr, stdout};

use oplink::log;
use oplink::prelude::*;

use super::strings::scalar;

/// Writes a string.
#[op("PrintV2",
     input = "input: string",
     attr = "output_stream: string = 'stderr'",
     attr = "end: string = '\\n'",
     stateful,
     shape = shape_fns::print_v2)]
pub struct PrintV2;

enum Stream {
    Output,
    Error,
    Log,
    File(String),
}

/// `PrintV2` to a stream.
pub struct PrintV2Cpu(Stream);

#[kernel(PrintV2, device = CPU)]
impl Kernel for PrintV2Cpu {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self(match construction.attr::<&str>("output_stream")? {
            "stdout" => Stream::Output,
            "stderr" => Stream::Error,
            "log(info)" | "log(warning)" | "log(error)" => Stream::Log,
            other => match other.strip_prefix("file://") {
                Some(path) => Stream::File(path.to_owned()),
                None => bail!(
                    "output_stream must be stdout, stderr, log(info), log(warning), log(error) or a path after file://, \
                     it is {other}"
                ),
            },
        }))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let end: &[u8] = if matches!(self.0, Stream::Log) { b"\n" } else { context.attr("end")? };
        let text = [scalar(context, 0, "input")?, end].concat();
        self.0.write(&text).map_err(|error| {
            let place = match &self.0 {
                Stream::Output => "standard output",
                Stream::Error | Stream::Log => "standard error",
                Stream::File(path) => path,
            };
            Error::new(Code::Unknown, ErrorKind::Resource, format!("cannot write to {place}: {error}"))
        })
    }
}

impl Stream {
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

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::run;

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
