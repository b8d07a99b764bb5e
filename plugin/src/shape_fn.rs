//! Shape functions, run over what the host tells of a node's shapes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;

use oplink_abi::{TF_DimensionHandle, TF_ShapeHandle, TF_ShapeInferenceContext, TF_Status};
use oplink_api::shape::Dim;
use oplink_api::shape_inference::{NoConstants, ShapeFn};
use oplink_api::signature::signature;
use oplink_api::spec::{AttrSpec, ScalarKind};
use oplink_api::{AttrMap, AttrValue, DType, ErrorKind, NodeInfo, PartialShape, Result, ShapeContext};

use crate::entry::{LoadedOp, loaded};
use crate::guard::guarded;
use crate::host::Host;
use crate::num_tensors::derive_number;
use crate::status::{self, Status, c_string};

/// Infers the output shapes of a node of the op registered at a position. An error goes to `status`.
///
/// # Safety
/// Context and status are alive.
pub(crate) unsafe fn infer(position: usize, context: *mut TF_ShapeInferenceContext, status: *mut TF_Status) {
    let Some(loaded) = loaded() else { return };
    let Some(op) = loaded.ops.get(position) else { return };
    let host = &loaded.host;
    let what = || format!("the shape function of {}", op.spec.name);
    let result = guarded(what, || {
        let inference = Inference::new(host, context);
        inference.set_all_unknown()?;
        op.shape_fn.map_or(Ok(()), |shape_fn| inference.run(op, shape_fn))
    });
    if let Err(error) = result {
        status::set(host, status, &error);
    }
}

/// One shape inference of the host, with handles to work with.
struct Inference {
    host: &'static Host,
    context: *mut TF_ShapeInferenceContext,
    status: Status,
    shape: *mut TF_ShapeHandle,
    dim: *mut TF_DimensionHandle,
}

impl Drop for Inference {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe {
            (self.host.TF_DeleteShapeHandle)(self.shape);
            (self.host.TF_DeleteDimensionHandle)(self.dim);
        }
    }
}

/// SAFETY contract of this file: the context is alive during the call of `infer`, which is as long as an `Inference`
/// lives.
impl Inference {
    fn new(host: &'static Host, context: *mut TF_ShapeInferenceContext) -> Self {
        // SAFETY: the functions have no arguments and may be called at any time.
        let (shape, dim) = unsafe { ((host.TF_NewShapeHandle)(), (host.TF_NewDimensionHandle)()) };
        Self { host, context, status: Status::new(host), shape, dim }
    }

    fn run(&self, op: &LoadedOp, shape_fn: ShapeFn) -> Result<()> {
        // SAFETY: the context is alive during the call of the shape function that `self` serves.
        let count = unsafe { (self.host.TF_ShapeInferenceContextNumInputs)(self.context) };
        let count = usize::try_from(count).unwrap_or(0);
        let Some(node) = self.node(op, count) else { return Ok(()) };
        let inputs = (0..count).map(|index| self.input(index)).collect::<Result<Vec<_>>>()?;
        let mut context = ShapeContext::new(&node, &inputs, &NoConstants);
        let result = shape_fn(&mut context);
        if context.missed_attr() {
            return Ok(());
        }
        result.map_err(|error| error.with_kind(ErrorKind::ShapeInference))?;
        let shapes = context.into_output_shapes();
        shapes.iter().enumerate().try_for_each(|(index, shape)| self.set_output(index, shape))
    }

    /// The node as far as it is known; `None` where not even its numbers of inputs and outputs are.
    fn node(&self, op: &LoadedOp, num_inputs: usize) -> Option<NodeInfo> {
        let spec = &op.spec;
        let mut attrs = AttrMap::with_capacity(spec.attrs.len());
        spec.attrs.iter().for_each(|attr| attrs.set(attr.name.as_str(), self.attr(attr)));
        derive_number(spec, &mut attrs, num_inputs);
        let (input_dtypes, input_ranges) = signature(spec, &spec.inputs, &attrs).ok()?;
        let (output_dtypes, output_ranges) = signature(spec, &spec.outputs, &attrs).ok()?;
        (input_dtypes.len() == num_inputs).then(|| NodeInfo {
            name: spec.name.clone(),
            op: spec.clone(),
            device: String::new(),
            attrs,
            input_dtypes,
            output_dtypes,
            input_ranges,
            output_ranges,
            shape_fn: op.shape_fn.map(Into::into),
        })
    }

    /// The value of an attr of kind `type`; the C API tells no others.
    fn attr(&self, attr: &AttrSpec) -> AttrValue {
        let unknown = AttrValue::Placeholder(attr.name.clone());
        if attr.kind.list || attr.kind.scalar != ScalarKind::Type {
            return unknown;
        }
        let (name, mut number) = (c_string(&attr.name), 0);
        // SAFETY: the file's contract; the name is terminated, the place is written to.
        unsafe {
            let status = self.status.raw();
            (self.host.TF_ShapeInferenceContext_GetAttrType)(self.context, name.as_ptr(), &raw mut number, status);
        }
        match (self.status.check(), DType::from_number(number)) {
            (Ok(()), Some(dtype)) => AttrValue::Type(dtype),
            _ => unknown,
        }
    }

    fn input(&self, index: usize) -> Result<PartialShape> {
        let (host, context, shape) = (self.host, self.context, self.shape);
        // SAFETY: context, shape and status are alive; the index is below the number of inputs that the host reports,
        // or the status has its refusal.
        unsafe { (host.TF_ShapeInferenceContextGetInput)(context, index as c_int, shape, self.status.raw()) };
        self.status.check()?;
        // SAFETY: the file's contract; the handle holds a shape.
        let rank = unsafe {
            match (host.TF_ShapeInferenceContextRankKnown)(context, shape) {
                0 => return Ok(PartialShape::unknown()),
                _ => (host.TF_ShapeInferenceContextRank)(context, shape),
            }
        };
        let dims: Vec<Dim> = (0..rank.max(0)).map(|axis| self.dim(axis)).collect();
        Ok(PartialShape::new(&dims))
    }

    /// An extent of the shape in the handle.
    fn dim(&self, axis: i64) -> Dim {
        let (host, dim) = (self.host, self.dim);
        // SAFETY: the file's contract; the shape has this axis.
        unsafe {
            (host.TF_ShapeInferenceContextDim)(self.context, self.shape, axis, dim);
            if (host.TF_DimensionHandleValueKnown)(dim) == 0 {
                return None;
            }
            usize::try_from((host.TF_DimensionHandleValue)(dim)).ok()
        }
    }

    fn set_all_unknown(&self) -> Result<()> {
        // SAFETY: context and status are alive during the call of the shape function that `self` serves.
        unsafe { (self.host.TF_ShapeInferenceContextSetUnknownShape)(self.context, self.status.raw()) };
        self.status.check()
    }

    /// Sets the shape of an output, all of which are unknown so far.
    fn set_output(&self, index: usize, shape: &PartialShape) -> Result<()> {
        let Some(dims) = shape.dims() else { return Ok(()) };
        // SAFETY: the context is alive; `Owned` ends the handle once.
        let whole = Owned { host: self.host, raw: unsafe { (self.host.TF_ShapeInferenceContextScalar)(self.context) } };
        for dim in dims {
            let part = self.vector(*dim)?;
            // SAFETY: the file's contract; the handles are alive.
            unsafe {
                let status = self.status.raw();
                (self.host.TF_ShapeInferenceContextConcatenateShapes)(
                    self.context,
                    whole.raw,
                    part.raw,
                    whole.raw,
                    status,
                );
            }
            self.status.check()?;
        }
        // SAFETY: the file's contract; the handle is alive.
        unsafe {
            let status = self.status.raw();
            (self.host.TF_ShapeInferenceContextSetOutput)(self.context, index as c_int, whole.raw, status);
        }
        self.status.check()
    }

    /// A shape of one extent.
    fn vector(&self, dim: Dim) -> Result<Owned> {
        let host = self.host;
        // SAFETY: the file's contract; a new handle holds a shape of unknown rank.
        let vector = unsafe {
            match dim {
                Some(size) => (host.TF_ShapeInferenceContextVectorFromSize)(self.context, size),
                None => {
                    let raw = (host.TF_NewShapeHandle)();
                    let status = self.status.raw();
                    (host.TF_ShapeInferenceContextWithRank)(self.context, raw, 1, raw, status);
                    raw
                }
            }
        };
        let vector = Owned { host, raw: vector };
        self.status.check().map(|()| vector)
    }
}

/// A shape handle of the plugin's own.
struct Owned {
    host: &'static Host,
    raw: *mut TF_ShapeHandle,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the handle is the plugin's, freed once.
        unsafe { (self.host.TF_DeleteShapeHandle)(self.raw) }
    }
}
