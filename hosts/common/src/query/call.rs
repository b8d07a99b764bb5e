//! The lines of a request that describe a call.

use oplink_api::{DType, Error, PartialShape, Result, bail};
use smallvec::SmallVec;

use crate::attrs::attr_of_text;
use crate::prepare::CallKey;
use crate::table::{HostedOp, OpTable, unknown_op};

/// A call as far as it is known while a program is traced.
pub(super) struct CallLines<'a> {
    pub(super) op: &'a HostedOp,
    pub(super) key: CallKey,
    /// The shapes of all inputs.
    pub(super) shapes: Vec<PartialShape>,
    /// Of each input whether its gradient is used; empty where all are.
    pub(super) wanted: Vec<bool>,
}

impl<'a> CallLines<'a> {
    pub(super) fn read(table: &'a OpTable, request: &str) -> Result<Self> {
        let mut lines = request.lines();
        let name = lines.next().and_then(|first| first.split_whitespace().nth(1)).unwrap_or_default();
        let op = table.op(name).ok_or_else(|| unknown_op(table, name))?;
        let attrs = op.given_attrs().map(|_| None).collect();
        let key = CallKey { attrs, ..CallKey::default() };
        let mut call = Self { op, key, shapes: Vec::new(), wanted: Vec::new() };
        lines.try_for_each(|line| call.line(line))?;
        let covered: usize = call.key.lengths.iter().map(|&length| length as usize).sum();
        if covered != call.shapes.len() {
            bail!("the lengths of a call of {name} cover {covered} inputs, there are {}", call.shapes.len());
        }
        Ok(call)
    }

    fn line(&mut self, line: &str) -> Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "lengths" => self.key.lengths = numbers(rest)?,
            "wanted" => self.wanted = rest.split_whitespace().map(|word| word != "0").collect(),
            "input" => {
                let (dtype, dims) = rest.split_once(' ').unwrap_or((rest, ""));
                let known = DType::parse(dtype);
                self.key.dtypes.push(known.ok_or_else(|| Error::invalid_argument(format!("{dtype} is no dtype")))?);
                self.shapes.push(shape(dims)?);
            }
            "attr" => {
                let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
                let Some(at) = self.op.given_attrs().position(|attr| attr.name == name) else {
                    bail!("op {} has no attr `{name}` that a call gives", self.op.descriptor.name)
                };
                let attr = self.op.given_attrs().nth(at);
                self.key.attrs[at] = attr.map(|attr| attr_of_text(attr, text)).transpose()?;
            }
            _ => bail!("`{line}` is no line of a call"),
        }
        Ok(())
    }
}

fn numbers(text: &str) -> Result<SmallVec<[u32; 4]>> {
    let read =
        |word: &str| word.parse().map_err(|_| Error::invalid_argument(format!("{word} is no number of tensors")));
    text.split_whitespace().map(read).collect()
}

fn shape(text: &str) -> Result<PartialShape> {
    if text.trim() == "*" {
        return Ok(PartialShape::unknown());
    }
    let dim = |word: &str| match word {
        "?" => Ok(None),
        _ => word.parse().map(Some).map_err(|_| Error::invalid_argument(format!("{word} is no extent"))),
    };
    text.split_whitespace().map(dim).collect()
}
