//! The side of oplink in the comparison with TensorFlow: reads requests from standard input, answers on standard
//! output.
//!
//! A message is a list of chunks of bytes, with lengths in little-endian `u32`: the number of chunks, then each one's
//! length and bytes. The first chunk of a request says what is asked for:
//!
//! | request | further chunks | answer |
//! |---|---|---|
//! | `ops` | | the registered ops and kernels, as text |
//! | `call` | a NodeDef, a TensorProto an input | the outputs |
//! | `infer` | a GraphDef | dtypes and shapes of all outputs of all nodes, as text |
//! | `run` | a GraphDef, then steps | the fetched values of each step |
//!
//! A step is `step`, then any number of `feed` with name and TensorProto, `fetch` with name, `target` with name; all
//! steps run in one session. An answer is `ok`, the number of values, the values; or `error`, code, kind, message. A
//! value without elements to show (a resource, a variant) is a TensorProto of its dtype and shape alone.
#![forbid(unsafe_code)]

mod answers;
mod chunks;
mod listing;
mod steps;

use std::io::{BufReader, BufWriter, Result, Write};

use chunks::{read_message, write_message};

fn main() -> Result<()> {
    let mut requests = BufReader::new(std::io::stdin().lock());
    let mut answers = BufWriter::new(std::io::stdout().lock());
    while let Some(request) = read_message(&mut requests)? {
        write_message(&mut answers, &answers::answer(&request))?;
        answers.flush()?;
    }
    Ok(())
}
