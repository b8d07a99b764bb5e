//! Convolutions and their gradients.

use oplink::{AttrValue, DType, Shape, Tensor};

use super::{cast, check_first, numbers};
use crate::linalg::ACTIVATIONS;
use crate::support::{check, on_gpu};

type Attrs = Vec<(&'static str, AttrValue)>;

struct Case {
    input: [usize; 4],
    filter: [usize; 4],
    attrs: Attrs,
}

fn case(input: [usize; 4], filter: [usize; 4], stride: [i64; 2], dilation: [i64; 2], padding: &'static str) -> Case {
    let mut attrs: Attrs = vec![
        ("strides", vec![1, stride[0], stride[1], 1].into()),
        ("dilations", vec![1, dilation[0], dilation[1], 1].into()),
        ("padding", padding.into()),
    ];
    if padding == "EXPLICIT" {
        attrs.push(("explicit_paddings", vec![0, 0, 2, 1, 0, 3, 0, 0].into()));
    }
    Case { input, filter, attrs }
}

/// Windows of all kinds; squares of the programs that are not full, and several of them.
fn cases() -> Vec<Case> {
    vec![
        case([2, 9, 11, 3], [3, 3, 3, 5], [1, 1], [1, 1], "SAME"),
        case([1, 12, 10, 7], [3, 2, 7, 40], [2, 1], [1, 1], "SAME"),
        case([1, 13, 14, 8], [5, 3, 8, 33], [2, 3], [1, 1], "VALID"),
        case([2, 11, 9, 4], [3, 3, 4, 6], [1, 1], [2, 1], "SAME"),
        case([1, 8, 9, 5], [3, 3, 5, 4], [1, 2], [1, 1], "EXPLICIT"),
        case([2, 7, 6, 40], [1, 1, 40, 70], [1, 1], [1, 1], "SAME"),
        case([1, 7, 6, 18], [1, 1, 18, 3], [2, 2], [1, 1], "VALID"),
        case([1, 6, 7, 6], [3, 3, 2, 12], [1, 1], [1, 1], "SAME"),
        case([1, 1, 1, 2], [1, 1, 2, 1], [1, 1], [1, 1], "SAME"),
    ]
}

/// The shape of a case's output.
fn output(op: &str, case: &Case) -> Shape {
    let (input, filter) = (numbers(&case.input, 1), numbers(&case.filter, 2));
    crate::support::on_cpu(op, &[&input, &filter], &case.attrs).expect("an output")[0].shape().clone()
}

fn sizes(shape: [usize; 4]) -> Tensor {
    Tensor::from_slice(&shape.map(|extent| extent as i32))
}

fn check_all(op: &str, filters: impl Fn(&Case) -> [usize; 4]) {
    for mut case in cases() {
        case.filter = filters(&case);
        let (input, filter) = (numbers(&case.input, 1), numbers(&case.filter, 2));
        check(op, &[&input, &filter], &case.attrs, 1e-5);
        check_first(op, &[&input, &filter], &[0], true, &case.attrs);

        let gradient = numbers(&output(op, &case), 3);
        let (input_op, filter_op) = (format!("{op}BackpropInput"), format!("{op}BackpropFilter"));
        let inputs = [&sizes(case.input), &filter, &gradient];
        check(&input_op, &inputs, &case.attrs, 1e-5);
        let inputs = [&input, &sizes(case.filter), &gradient];
        check(&filter_op, &inputs, &case.attrs, 1e-5);
        check_first(&filter_op, &inputs, &[0, 2], false, &case.attrs);
    }
}

#[test]
fn of_images() {
    check_all("Conv2D", |case| case.filter);
}

#[test]
fn of_each_channel() {
    check_all("DepthwiseConv2dNative", |case| {
        [case.filter[0], case.filter[1], case.input[3], if case.filter[3] % 2 == 0 { 2 } else { 1 }]
    });
}

#[test]
fn gradients_of_images_with_channels_first() {
    for case in cases() {
        let filter = numbers(&case.filter, 2);
        let gradient = numbers(&output("Conv2D", &case), 3);
        let [batch, rows, columns, depth] = case.input;
        let inputs = [&sizes(case.input), &filter, &gradient];
        let last = crate::support::on_cpu("Conv2DBackpropInput", &inputs, &case.attrs).unwrap();
        let shape = sizes([batch, depth, rows, columns]);
        let inputs = [&shape, &filter, &super::channels_first(&gradient)];
        let first = on_gpu("Conv2DBackpropInput", &inputs, &super::attrs_first(&case.attrs)).unwrap();
        let first = super::channels_last(&first[0]);
        assert_eq!(first.shape(), last[0].shape());
        let pairs = first.as_slice::<f32>().unwrap().iter().zip(last[0].as_slice::<f32>().unwrap());
        for (at, (first, last)) in pairs.enumerate() {
            let is_near = (first - last).abs() <= 1e-5 * last.abs().max(1.0);
            assert!(is_near, "element {at}: GPU {first}, CPU {last}; {:?}", case.attrs);
        }
    }
}

#[test]
fn with_many_results() {
    let case = case([1, 130, 131, 5], [3, 3, 5, 70], [1, 1], [1, 1], "SAME");
    let (input, filter) = (numbers(&case.input, 1), numbers(&case.filter, 2));
    check("Conv2D", &[&input, &filter], &case.attrs, 1e-5);
    let gradient = numbers(&[1, 130, 131, 70], 3);
    // Sums of 630 and of 17030 products.
    check("Conv2DBackpropInput", &[&sizes(case.input), &filter, &gradient], &case.attrs, 1e-4);
    check("Conv2DBackpropFilter", &[&input, &sizes(case.filter), &gradient], &case.attrs, 5e-4);
}

#[test]
fn of_half_precision() {
    for case in cases() {
        let (input, filter) =
            (cast(&numbers(&case.input, 1), DType::Half), cast(&numbers(&case.filter, 2), DType::Half));
        check("Conv2D", &[&input, &filter], &case.attrs, 2e-3);
        let gradient = cast(&numbers(&output("Conv2D", &case), 3), DType::Half);
        check("Conv2DBackpropInput", &[&sizes(case.input), &filter, &gradient], &case.attrs, 4e-3);
        check("Conv2DBackpropFilter", &[&input, &sizes(case.filter), &gradient], &case.attrs, 4e-3);
    }
}

#[test]
fn by_no_library() {
    for mut case in cases() {
        case.attrs.push(("use_cudnn_on_gpu", false.into()));
        let (input, filter) = (numbers(&case.input, 1), numbers(&case.filter, 2));
        check("Conv2D", &[&input, &filter], &case.attrs, 1e-5);
    }
}

#[test]
fn of_nothing() {
    let attrs = case([1; 4], [1; 4], [1, 1], [1, 1], "SAME").attrs;
    let filter = numbers(&[3, 3, 2, 4], 2);
    check("Conv2D", &[&numbers(&[0, 5, 5, 2], 1), &filter], &attrs, 0.0);
    let gradient = numbers(&[0, 5, 5, 4], 1);
    check("Conv2DBackpropFilter", &[&numbers(&[0, 5, 5, 2], 1), &sizes([3, 3, 2, 4]), &gradient], &attrs, 0.0);
    check("Conv2DBackpropInput", &[&sizes([0, 5, 5, 2]), &filter, &gradient], &attrs, 0.0);
}

#[test]
fn shapes_that_do_not_fit_are_errors() {
    let attrs = case([1; 4], [1; 4], [1, 1], [1, 1], "SAME").attrs;
    let error = on_gpu("Conv2D", &[&numbers(&[1, 5, 5, 3], 1), &numbers(&[3, 3, 2, 4], 2)], &attrs).unwrap_err();
    assert!(error.to_string().contains("depth"), "{error}");
}

/// The attrs of a fused op with these steps.
fn fused(case: &Case, steps: &[&str], count: usize) -> Attrs {
    let own = [("fused_ops", steps.into()), ("num_args", (count as i64).into()), ("num_host_args", 0.into())];
    case.attrs.iter().cloned().chain(own).collect()
}

#[test]
fn fused_steps() {
    for case in cases() {
        let (input, filter, side) =
            (numbers(&case.input, 1), numbers(&case.filter, 2), numbers(&output("Conv2D", &case), 3));
        let bias = numbers(&case.filter[3..], 4);
        for activation in ACTIVATIONS {
            let tensors = [&input, &filter, &bias, &side];
            check("_FusedConv2D", &tensors[..3], &fused(&case, &["BiasAdd", activation], 1), 1e-5);
            check("_FusedConv2D", &tensors, &fused(&case, &["BiasAdd", "Add", activation], 2), 1e-5);
        }
        check("_FusedConv2D", &[&input, &filter, &bias, &side], &fused(&case, &["BiasAdd", "Add"], 2), 1e-5);
    }
}

#[test]
fn fused_steps_that_do_not_fit_are_errors() {
    let case = &cases()[0];
    let (input, filter, bias) = (numbers(&case.input, 1), numbers(&case.filter, 2), numbers(&[4], 3));
    let refused = |steps: &[&str], args: &[&Tensor]| {
        let inputs: Vec<&Tensor> = [&input, &filter].into_iter().chain(args.iter().copied()).collect();
        on_gpu("_FusedConv2D", &inputs, &fused(case, steps, args.len())).expect_err("refused").to_string()
    };
    let text = refused(&["BiasAdd", "Relu"], &[&bias]);
    assert!(text.contains("the bias must be a vector of 5 elements, its shape is [4]"), "{text}");
    let text = refused(&["BiasAdd"], &[&bias]);
    assert!(text.contains("more than a bias"), "{text}");
    let text = refused(&["Relu"], &[&bias]);
    assert!(text.contains("does not implement the fused ops [\"Relu\"]"), "{text}");
}
