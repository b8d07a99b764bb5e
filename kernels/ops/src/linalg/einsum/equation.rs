//! Equations of `Einsum`: one subscript for each operand, `->`, the subscript of the output.

use oplink::prelude::*;
use smallvec::SmallVec;

/// A named axis, or an axis under the ellipsis: the one with `i` axes of the ellipsis after it is `-1 - i`.
pub type Label = i32;
/// The labels of a tensor's axes.
pub type Labels = SmallVec<[Label; 8]>;

/// The axes that one operand or the output names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscript {
    /// Named axes, those before the ellipsis first.
    pub named: Vec<char>,
    /// How many of them stand before the ellipsis, where there is one.
    pub ellipsis: Option<usize>,
}

/// A parsed equation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equation {
    /// The operands' subscripts, one or two.
    pub inputs: Vec<Subscript>,
    /// The output's subscript.
    pub output: Subscript,
}

impl Equation {
    /// Reads `ab,bc->ac`: every character names an axis, `...` stands for the axes that the others leave.
    ///
    /// # Errors
    /// Not exactly one `->`, a number of subscripts other than `operands` (1 or 2), more than one ellipsis in one, and
    /// an axis of the output that no operand has.
    pub fn parse(text: &str, operands: usize) -> Result<Self> {
        let sides: Vec<&str> = text.split("->").collect();
        let [inputs, output] = sides[..] else { bail!("the equation `{text}` must have exactly one `->`") };
        let read = |part| Subscript::parse(part).map_err(|e| e.context(format!("reading the equation `{text}`")));
        let inputs = inputs.split(',').map(read).collect::<Result<Vec<_>>>()?;
        ensure!(inputs.len() <= 2, "the equation `{text}` has {} operands, it can have 1 or 2", inputs.len());
        ensure!(inputs.len() == operands, "the equation `{text}` is for {} inputs, not {operands}", inputs.len());
        let output = read(output)?;
        let unknown = output.named.iter().find(|name| inputs.iter().all(|input| !input.named.contains(name)));
        if let Some(name) = unknown {
            bail!("the output of the equation `{text}` has the axis `{name}`, which no input has")
        }
        Ok(Self { inputs, output })
    }
}

impl Subscript {
    fn parse(text: &str) -> Result<Self> {
        let (before, after) = match text.split_once("...") {
            Some((before, after)) => (before, Some(after)),
            None => (text, None),
        };
        let named: Vec<char> = before.chars().chain(after.unwrap_or_default().chars()).collect();
        ensure!(!named.contains(&'.'), "the subscript `{text}` may have one ellipsis `...` and no other dots");
        Ok(Self { named, ellipsis: after.map(|_| before.chars().count()) })
    }

    /// The labels of a tensor's axes, the ellipsis standing for `hidden` of them.
    pub fn labels(&self, hidden: usize) -> Labels {
        let named = |name: &char| *name as Label;
        let at = self.ellipsis.unwrap_or(self.named.len());
        let broadcast = (0..hidden as Label).rev().map(|from_end| -1 - from_end);
        let (before, after) = self.named.split_at(at);
        before.iter().map(named).chain(broadcast).chain(after.iter().map(named)).collect()
    }

    /// The number of axes under the ellipsis for a tensor of this rank; an error where the rank does not fit.
    pub fn hidden(&self, rank: usize) -> Result<usize> {
        match rank.checked_sub(self.named.len()) {
            Some(hidden) if hidden == 0 || self.ellipsis.is_some() => Ok(hidden),
            _ => {
                let least = if self.ellipsis.is_some() { "at least " } else { "" };
                bail!("an input of rank {rank} is given where the equation has {least}{} axes", self.named.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_subscripts() {
        let equation = Equation::parse("a...b,bc->...ac", 2).unwrap();
        assert_eq!(equation.inputs[0], Subscript { named: vec!['a', 'b'], ellipsis: Some(1) });
        assert_eq!(equation.inputs[1], Subscript { named: vec!['b', 'c'], ellipsis: None });
        assert_eq!(equation.output.labels(2)[..], [-2, -1, 'a' as Label, 'c' as Label]);
        assert_eq!((equation.inputs[0].hidden(4).unwrap(), equation.inputs[1].hidden(2).unwrap()), (2, 0));
        assert!(equation.inputs[0].hidden(1).is_err());
        assert!(equation.inputs[1].hidden(3).is_err());
    }

    #[test]
    fn refuses_other_texts() {
        for (text, operands) in
            [("ab", 1), ("a->a->a", 1), ("a,b,c->a", 3), ("a->a", 2), ("......->", 1), ("a.b->a", 1), ("a->b", 1)]
        {
            assert!(Equation::parse(text, operands).is_err(), "{text}");
        }
    }
}
