//! A declared op as the registry holds it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use oplink_api::descriptors::{Location, OpDescriptor, OpFact};
use oplink_api::foreign::ShapeInference;
use oplink_api::resolve::{AttrDefault, DeclaredOp, attr_defaults};
use oplink_api::{AttrValue, Error, OpId, OpSpec, Result};
use oplink_spec::{Deprecation, Diagnostic, Piece};

/// A declared op.
#[derive(Clone, Debug)]
pub struct OpEntry {
    /// The declaration.
    pub spec: Arc<OpSpec>,
    /// The shape function; `None` leaves all output shapes unknown.
    pub shape_fn: Option<ShapeInference>,
    /// Documentation; empty where there is none.
    pub doc: Cow<'static, str>,
    /// Whether nothing is differentiated through the op.
    pub no_gradient: bool,
    /// What the op is, beyond its arguments.
    pub facts: &'static [OpFact],
    /// Whether the build's selection left the op out: it has no shape function, and its kernels have no code.
    pub excluded: bool,
    /// Where the op is declared.
    pub location: Location,
    attrs: OnceLock<Result<Vec<AttrDefault>>>,
}

impl DeclaredOp for OpEntry {
    fn spec(&self) -> &Arc<OpSpec> {
        &self.spec
    }

    fn attr_defaults(&self) -> Result<&[AttrDefault]> {
        let located = |e: Error| e.context(format!("op {} declared at {}", self.spec.name, self.location));
        let made = self.attrs.get_or_init(|| attr_defaults(&self.spec).map_err(located));
        made.as_deref().map_err(Clone::clone)
    }

    fn shape_fn(&self) -> Option<ShapeInference> {
        self.shape_fn
    }
}

impl OpEntry {
    pub(crate) fn new(
        spec: OpSpec,
        shape_fn: Option<ShapeInference>,
        doc: Cow<'static, str>,
        location: Location,
    ) -> Self {
        Self {
            spec: Arc::new(spec),
            shape_fn,
            doc,
            no_gradient: false,
            facts: &[],
            excluded: false,
            location,
            attrs: OnceLock::new(),
        }
    }

    /// The op that a function of a graph is: calling it runs the function's body.
    pub fn of_function(spec: OpSpec, doc: String, location: Location) -> Self {
        Self::new(spec, None, Cow::Owned(doc), location)
    }

    pub(crate) fn parse(op: &OpDescriptor) -> Result<Self, Vec<(Piece, Diagnostic)>> {
        let deprecation = op.deprecation.map(|(version, why)| Deprecation { version, explanation: why.to_owned() });
        // Annotations were checked when they expanded; descriptors written by hand tell their mistakes in debug builds.
        let read = if cfg!(debug_assertions) { OpSpec::from_pieces } else { OpSpec::from_checked_pieces };
        let spec = read(op.name, op.inputs, op.outputs, op.attrs, op.flags, deprecation)?;
        let entry = Self::new(spec, op.shape.map(Into::into), Cow::Borrowed(op.doc), op.location);
        Ok(Self { no_gradient: op.no_gradient, facts: op.facts, excluded: op.excluded, ..entry })
    }

    /// Stands for any op; it has no arguments and no attrs.
    pub(crate) fn any_op(location: Location) -> Self {
        let spec = OpSpec { name: super::ANY_OP.to_owned(), ..OpSpec::default() };
        Self::new(spec, None, Cow::Borrowed(""), location)
    }

    /// Whether `is(…)` of the declaration has the fact.
    pub fn is(&self, fact: OpFact) -> bool {
        self.facts.contains(&fact)
    }

    /// The op's identity, by which nodes are compared.
    pub fn id(&self) -> OpId {
        OpId::of(&self.spec)
    }

    /// The op's name.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Whether the op is deprecated in graphs of this producer version, and why.
    pub fn deprecated_in(&self, graph_version: i32) -> Option<&Deprecation> {
        self.spec.deprecation.as_ref().filter(|deprecation| graph_version >= deprecation.version)
    }

    /// The default of an attr, as nodes hold it.
    ///
    /// # Errors
    /// A declared constant tensor or shape is malformed.
    pub fn default_of(&self, attr: &str) -> Result<Option<&AttrValue>> {
        Ok(self.attr_defaults()?.iter().find(|known| &*known.name == attr).and_then(|known| known.default.as_ref()))
    }
}
