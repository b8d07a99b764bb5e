//! Op declarations under construction.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::ptr;

use oplink_abi::{ShapeInferenceFn, TF_OpDefinitionBuilder, TF_Status};
use oplink_api::descriptors::OpFlags;
use oplink_api::spec::{Deprecation, Diagnostic, Piece};
use oplink_api::{Error, ErrorKind, OpSpec, Result};
use oplink_core::{Declarations, RejectedItem};

use super::shape_fn::shape_inference;
use crate::guard::{borrow_mut, delete, text, with_status, without_status};
use crate::load::{declare, reject, source_of};

/// What was said of the op so far. What is wrong with an argument is reported when the op is registered.
#[derive(Default)]
struct OpBuilder {
    name: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    attrs: Vec<String>,
    flags: OpFlags,
    deprecation: Option<Deprecation>,
    shape_fn: ShapeInferenceFn,
    wrong: Option<Error>,
}

impl OpBuilder {
    /// The text of an argument; what is wrong with it is kept.
    ///
    /// # Safety
    /// As `guard::text`.
    unsafe fn text(&mut self, string: *const c_char, function: &str, argument: &str) -> String {
        // SAFETY: `string` is null or a terminated string (Safety section).
        match unsafe { text(string, function, argument) } {
            Ok(text) => text.to_owned(),
            Err(error) => {
                self.wrong.get_or_insert(error);
                String::new()
            }
        }
    }

    fn spec(&self) -> Result<OpSpec> {
        let [inputs, outputs, attrs] = [&self.inputs, &self.outputs, &self.attrs].map(|pieces| strs(pieces));
        let parsed = OpSpec::from_pieces(&self.name, &inputs, &outputs, &attrs, self.flags, self.deprecation.clone());
        parsed.map_err(|mistakes| {
            let told: Vec<String> = mistakes.iter().map(|(piece, mistake)| self.rendered(*piece, mistake)).collect();
            let message = format!("the declaration of op `{}` is broken: {}", self.name, told.join("\n"));
            Error::invalid_argument(message).with_kind(ErrorKind::Spec)
        })
    }

    fn rendered(&self, piece: Piece, mistake: &Diagnostic) -> String {
        let text = match piece {
            Piece::Input(at) => self.inputs.get(at),
            Piece::Output(at) => self.outputs.get(at),
            Piece::Attr(at) => self.attrs.get(at),
            Piece::Name | Piece::Op => None,
        };
        format!("{piece}: {}", mistake.render(text.unwrap_or(&self.name)))
    }

    fn register(self) -> Result<()> {
        self.declare().map_err(|error| reject(&self.name, RejectedItem::Op, error))
    }

    fn declare(&self) -> Result<()> {
        if let Some(error) = &self.wrong {
            return Err(error.clone());
        }
        let spec = self.spec()?;
        let location = source_of(self.shape_fn.map(|function| function as *const ()));
        let mut declarations = Declarations::default();
        declarations.op(spec, shape_inference(self.shape_fn), "", location);
        declare(declarations)
    }
}

fn strs(strings: &[String]) -> Vec<&str> {
    strings.iter().map(String::as_str).collect()
}

/// A declaration of an op of this name, to be filled in and registered.
///
/// # Safety
/// `op_name` is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewOpDefinitionBuilder(op_name: *const c_char) -> *mut TF_OpDefinitionBuilder {
    without_status(ptr::null_mut(), || {
        let mut builder = OpBuilder::default();
        // SAFETY: `op_name` is null or a terminated string (Safety section).
        builder.name = unsafe { builder.text(op_name, "TF_NewOpDefinitionBuilder", "op_name") };
        Box::into_raw(Box::new(builder)).cast()
    })
}

/// Registers the op and frees the builder, whether that succeeds or not. While a plugin is loaded, its ops become known
/// with the rest of it; at any other time the op is known at once.
///
/// # Safety
/// The builder is null, or alive and not used afterwards; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_RegisterOpDefinition(builder: *mut TF_OpDefinitionBuilder, status: *mut TF_Status) {
    const NAME: &str = "TF_RegisterOpDefinition";
    with_status(status, NAME, (), || {
        // SAFETY: `builder` is null or alive (Safety section).
        unsafe { borrow_mut(builder, NAME, "builder") }?;
        // SAFETY: not null; builders are boxes.
        let builder = unsafe { Box::from_raw(builder.cast::<OpBuilder>()) };
        builder.register()
    });
}

/// Frees a builder that was not registered; null is allowed.
///
/// # Safety
/// The builder is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteOpDefinitionBuilder(builder: *mut TF_OpDefinitionBuilder) {
    // SAFETY: builders are boxes.
    unsafe { delete(builder.cast::<OpBuilder>()) }
}

/// Changes a builder; null is left alone.
///
/// # Safety
/// The builder is null or alive.
unsafe fn change(builder: *mut TF_OpDefinitionBuilder, change: impl FnOnce(&mut OpBuilder)) {
    // SAFETY: the caller's contract; builders are boxes of `OpBuilder`.
    if let Some(builder) = unsafe { builder.cast::<OpBuilder>().as_mut() } {
        without_status((), || change(builder));
    }
}

macro_rules! add {
    ($($(#[$doc:meta])* $name:ident($argument:ident) to $field:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The builder is null or alive; the text is null or terminated.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(builder: *mut TF_OpDefinitionBuilder, $argument: *const c_char) {
            let add = |builder: &mut OpBuilder| {
                // SAFETY: `builder` is null or alive (Safety section).
                let text = unsafe { builder.text($argument, stringify!($name), stringify!($argument)) };
                builder.$field.push(text);
            };
            // SAFETY: `builder` is null or alive (Safety section).
            unsafe { change(builder, add) }
        }
    )*};
}

add! {
    /// Adds an attr: `name: kind`, with constraint and default.
    TF_OpDefinitionBuilderAddAttr(attr_spec) to attrs;
    /// Adds an input: `name: type`.
    TF_OpDefinitionBuilderAddInput(input_spec) to inputs;
    /// Adds an output: `name: type`.
    TF_OpDefinitionBuilderAddOutput(output_spec) to outputs;
}

macro_rules! flag {
    ($($(#[$doc:meta])* $name:ident($argument:ident) to $field:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The builder is null or alive.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(builder: *mut TF_OpDefinitionBuilder, $argument: bool) {
            // SAFETY: `builder` is null or alive (Safety section).
            unsafe { change(builder, |builder| builder.flags.$field = $argument) }
        }
    )*};
}

flag! {
    /// Says whether the op's inputs may be exchanged.
    TF_OpDefinitionBuilderSetIsCommutative(is_commutative) to commutative;
    /// Says whether the op takes any number of inputs of one type and shape and gives one such output.
    TF_OpDefinitionBuilderSetIsAggregate(is_aggregate) to aggregate;
    /// Says whether the op has state, so that calls with equal inputs may differ.
    TF_OpDefinitionBuilderSetIsStateful(is_stateful) to stateful;
    /// Says whether the op takes variables that have no value yet.
    TF_OpDefinitionBuilderSetAllowsUninitializedInput(allows_uninitialized_input) to allows_uninitialized_input;
}

/// Says from which version of graphs on the op is deprecated, and why.
///
/// # Safety
/// The builder is null or alive; the text is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpDefinitionBuilderDeprecated(
    builder: *mut TF_OpDefinitionBuilder,
    version: c_int,
    explanation: *const c_char,
) {
    let deprecate = |builder: &mut OpBuilder| {
        // SAFETY: `builder` is null or alive and `explanation` is null or a terminated string (Safety section).
        let explanation = unsafe { builder.text(explanation, "TF_OpDefinitionBuilderDeprecated", "explanation") };
        builder.deprecation = Some(Deprecation { version, explanation });
    };
    // SAFETY: `builder` is null or alive (Safety section).
    unsafe { change(builder, deprecate) }
}

/// Sets the shape function; without one all output shapes are unknown.
///
/// # Safety
/// The builder is null or alive; the function stays callable as long as the process runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpDefinitionBuilderSetShapeInferenceFunction(
    builder: *mut TF_OpDefinitionBuilder,
    shape_inference_func: ShapeInferenceFn,
) {
    // SAFETY: `builder` is null or alive (Safety section).
    unsafe { change(builder, |builder| builder.shape_fn = shape_inference_func) }
}
