//! Expansions name everything by absolute paths.

/// Nothing is in scope here but what shadows the usual names.
mod bare {
    #![no_implicit_prelude]
    #![allow(dead_code, non_camel_case_types)]

    use ::oplink::{kernel, library, op};

    struct Result;
    struct Ok;
    struct Some;
    struct None;
    struct Vec;
    struct String;
    struct Option;
    struct f32;
    struct usize;
    struct str;

    #[op("ApiBare", input = "x: float", input = "xs: N * T", output = "y: float", output = "ys: N * T",
         attr = "N: int", attr = "T: type", attr = "s: string = ''", attr = "i: list(int) = []",
         attr = "r: shape", attr = "v: tensor", shape = ::oplink::shape_fns::unknown)]
    pub(super) struct Bare;

    #[op("ApiBareFn", input = "x: int32", output = "y: int32", attr = "T: type = DT_FLOAT")]
    pub(super) fn bare(c: &mut ::oplink::ShapeContext<'_>) -> ::oplink::Result<()> {
        c.set_output(0, ::oplink::PartialShape::unknown());
        ::core::result::Result::Ok(())
    }

    #[kernel(Bare, device = CPU, T = [floats])]
    pub(super) fn context<T: ::oplink::Element>(
        x: ::core::primitive::f32,
        xs: ::oplink::Inputs<'_, T>,
        y: &mut ::oplink::Tensor,
        n: i64,
    ) -> ::oplink::Result<::std::vec::Vec<::oplink::Tensor>> {
        let _ = (x, n, y);
        ::core::result::Result::Ok(xs.tensors().to_vec())
    }

    #[kernel(ApiBareFn, device = CPU, T = any, forward(x => y))]
    pub(super) fn argument0(y: ::oplink::InOut<'_, i32>) {
        y.map(|x| x);
    }

    #[op("ApiBareTyped", input = "x: T", input = "xs: N * T", output = "y: T", attr = "N: int", attr = "T: type",
         attr = "type: {'SAME', 'VALID'}", attr = "mode: {'a', 'b'}", enums(mode = Mode))]
    pub(super) struct Typed;

    ::oplink::attr_enum! { pub(super) enum Mode { A = "a", B = "b" } }

    #[kernel(Typed, device = CPU, T = any)]
    pub(super) fn slots(
        inputs: TypedInputs<'_>,
        attrs: TypedAttrs<'_>,
        mut y: ::oplink::OutputSlot<'_>,
        env: ::oplink::Env<'_>,
    ) {
        let _ = (attrs.mode, attrs.r#type, env);
        y.set(inputs.x.take());
    }

    #[kernel(Typed, device = CPU, T = any, label = "parameters")]
    pub(super) fn input_slot0(mode: Mode, xs: ::oplink::InputList<'_>, y: &mut ::oplink::OutputSlot<'_>) {
        let _ = mode;
        if let ::core::option::Option::Some(x) = ::core::iter::Iterator::next(&mut xs.into_inputs()) {
            y.set(x.take());
        }
    }

    pub(super) struct Object;

    #[kernel(Typed, device = CPU, T = any, label = "object")]
    impl ::oplink::Kernel for Object {
        type Op = Typed;

        fn new(_: ::oplink::Construction<'_, Typed>) -> ::oplink::Result<Self> {
            ::core::result::Result::Ok(Self)
        }

        fn compute(
            &self,
            inputs: TypedInputs<'_>,
            outputs: &mut TypedOutputs<'_>,
            _: ::oplink::Env<'_>,
        ) -> ::oplink::Result<()> {
            outputs.y.set(inputs.x.take());
            ::core::result::Result::Ok(())
        }
    }

    library! { pub(super) BARE; ops::{Bare, ApiBareFn, Typed}, kernels::{context, argument0, slots, input_slot0, Object} }
}

/// Another name of the crate.
mod renamed {
    use oplink_api as other;

    #[other::op("ApiRenamed", input = "x: float", output = "y: float", crate = oplink_api)]
    pub struct Renamed;

    #[other::kernel(Renamed, device = CPU, crate = oplink_api)]
    pub fn renamed_cpu(x: &other::Tensor) -> other::Tensor {
        x.clone()
    }

    #[other::kernel(Renamed, device = CPU, label = "typed", crate = oplink_api)]
    pub fn renamed_typed(inputs: RenamedInputs<'_>, mut y: other::OutputSlot<'_>) {
        y.set(inputs.x.take());
    }

    other::library! { pub RENAMED; crate = oplink_api, ops::Renamed, kernels::{renamed_cpu, renamed_typed} }
}

/// Declarations that macros make.
mod generated {
    use oplink::prelude::*;

    macro_rules! family {
        ($($op:ident $name:literal $function:ident $types:tt |$x:ident| $body:expr;)*) => {$(
            #[op($name, input = "x: T", output = "y: T", attr = "T: {float, double}", shape = super::super::like_first)]
            pub struct $op;

            #[kernel($op, device = CPU, T = $types)]
            pub fn $function<T: Float>(x: ndarray::ArrayViewD<'_, T>, mut y: ndarray::ArrayViewMutD<'_, T>) {
                y.zip_mut_with(&x, |y, &$x| *y = $body);
            }
        )*};
    }

    family! {
        ApiSin "ApiSin" sin_cpu [f32, f64] |x| x.sin();
        ApiCos "ApiCos" cos_cpu [f32] |x| x.cos();
    }

    macro_rules! with_paths {
        ($op:path, $ty:ty, $function:ident) => {
            #[kernel($op, device = CPU, label = "path", T = [$ty])]
            pub fn $function(x: ndarray::ArrayViewD<'_, $ty>) -> ndarray::ArrayD<$ty> {
                x.to_owned()
            }
        };
    }

    with_paths!(super::generated::ApiSin, f64, path_cpu);
}

#[test]
fn shadowed_names_do_not_reach_expansions() {
    assert_eq!((bare::BARE.ops.len(), bare::BARE.kernels.len()), (3, 5));
    assert_eq!((renamed::RENAMED.ops.len(), renamed::RENAMED.kernels.len()), (1, 2));
}

#[test]
fn macros_may_make_declarations() {
    use super::{Arg, run_float};
    use oplink::prelude::*;
    let x = || vec![Arg::One(Tensor::from([0f32]))];
    assert_eq!(run_float::<generated::ApiCos, generated::cos_cpu>(x()).unwrap().to_scalar::<f32>().unwrap(), 1.0);
    assert_eq!(super::descriptor::<generated::path_cpu>().entries[0].dtypes, [DType::Double]);
}

#[test]
fn declarations_may_stand_in_functions() {
    use oplink::prelude::*;
    #[op("ApiLocal", input = "x: float", output = "y: float")]
    struct Local;
    #[kernel(Local, device = CPU)]
    fn local(x: f32) -> f32 {
        x + 1.0
    }
    let out = super::run_one::<Local, local>(vec![super::Arg::One(Tensor::scalar(1f32))]);
    assert_eq!(out.unwrap().to_scalar::<f32>().unwrap(), 2.0);
}
