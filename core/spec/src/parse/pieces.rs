//! An op from the texts of its pieces.

use super::{Spans, arg_syntax, attr_syntax, name_of};
use crate::check::{self, Known};
use crate::diagnostic::{Diagnostic, Piece};
use crate::model::{ArgSpec, Deprecation, Flags, OpSpec};
use crate::sorting::sort_by_key;

impl OpSpec {
    /// The op of those pieces, with implied minimums set, or all mistakes in them in the order name, inputs, outputs,
    /// attrs. A piece that names an attr whose own text is broken adds no second mistake.
    ///
    /// # Errors
    /// All mistakes in the pieces.
    pub fn from_pieces(
        name: &str,
        inputs: &[&str],
        outputs: &[&str],
        attrs: &[&str],
        flags: Flags,
        deprecation: Option<Deprecation>,
    ) -> Result<OpSpec, Vec<(Piece, Diagnostic)>> {
        let mut pieces = Pieces::read(name, inputs, outputs, attrs);
        pieces.spec.flags = flags;
        pieces.spec.deprecation = deprecation;
        pieces.finish()
    }

    /// As [`from_pieces`](Self::from_pieces), of pieces that it took before, such as those that a macro expanded to:
    /// only their syntax is read.
    ///
    /// # Errors
    /// The mistakes in the syntax.
    pub fn from_checked_pieces(
        name: &str,
        inputs: &[&str],
        outputs: &[&str],
        attrs: &[&str],
        flags: Flags,
        deprecation: Option<Deprecation>,
    ) -> Result<OpSpec, Vec<(Piece, Diagnostic)>> {
        let mut pieces = Pieces::read(name, inputs, outputs, attrs);
        pieces.spec.flags = flags;
        pieces.spec.deprecation = deprecation;
        pieces.spec.set_implied_minimums();
        if pieces.errors.is_empty() { Ok(pieces.spec) } else { Err(pieces.errors) }
    }
}

/// A spec under construction. Pieces that do not parse are left out of it; `places` has the pieces that do, so that the
/// n-th input of the spec is the piece of the n-th input there.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) spec: OpSpec,
    places: Vec<(Piece, Spans)>,
    known: Known,
    errors: Vec<(Piece, Diagnostic)>,
}

impl Pieces {
    pub(super) fn read(name: &str, inputs: &[&str], outputs: &[&str], attrs: &[&str]) -> Pieces {
        let mut pieces = Pieces::default();
        name.clone_into(&mut pieces.spec.name);
        pieces.places.push((Piece::Name, Spans::whole(name)));
        pieces.places.push((Piece::Op, Spans::whole(name)));
        pieces.read_attrs(attrs);
        pieces.spec.inputs = pieces.read_args(inputs, Piece::Input);
        pieces.spec.outputs = pieces.read_args(outputs, Piece::Output);
        pieces
    }

    fn read_attrs(&mut self, attrs: &[&str]) {
        self.spec.attrs.reserve_exact(attrs.len());
        for (i, text) in attrs.iter().enumerate() {
            match attr_syntax(text) {
                Ok((attr, spans)) => {
                    self.spec.attrs.push(attr);
                    self.places.push((Piece::Attr(i), spans));
                }
                Err(error) => {
                    self.known.add(name_of(text));
                    self.errors.push((Piece::Attr(i), error));
                }
            }
        }
    }

    fn read_args(&mut self, args: &[&str], piece: fn(usize) -> Piece) -> Vec<ArgSpec> {
        let mut specs = Vec::with_capacity(args.len());
        for (i, text) in args.iter().enumerate() {
            match arg_syntax(text) {
                Ok(raw) => {
                    specs.push(raw.resolve(&self.spec.attrs));
                    self.places.push((piece(i), raw.spans));
                }
                Err(error) => self.errors.push((piece(i), error)),
            }
        }
        specs
    }

    /// The spec with implied minimums set, or all mistakes, sorted by piece.
    pub(super) fn finish(mut self) -> Result<OpSpec, Vec<(Piece, Diagnostic)>> {
        self.spec.set_implied_minimums();
        for finding in check::op(&self.spec, &self.known) {
            let (piece, spans) = self.place(finding.piece);
            self.errors.push((piece, finding.at(&spans)));
        }
        if self.errors.is_empty() {
            return Ok(self.spec);
        }
        sort_by_key(&mut self.errors, |(piece, error)| (*piece, error.range.start));
        Err(self.errors)
    }

    /// The piece as its author counts it, with its spans.
    fn place(&self, piece: Piece) -> (Piece, Spans) {
        let same_kind = |other: &&(Piece, Spans)| std::mem::discriminant(&other.0) == std::mem::discriminant(&piece);
        let index = match piece {
            Piece::Input(i) | Piece::Output(i) | Piece::Attr(i) => i,
            Piece::Name | Piece::Op => 0,
        };
        let place = self.places.iter().filter(same_kind).nth(index);
        place.cloned().unwrap_or((piece, Spans::default()))
    }
}
