//! Shape functions against what TensorFlow infers: the cases of `data/shapes.txt`, written by `oracle/make_shapes.py`.

use std::collections::HashMap;
use std::sync::Arc;

use oplink_api::element::{bf16, f16};
use oplink_api::shape::Dim;
use oplink_api::shape_fns as f;
use oplink_api::shape_inference::{ConstantInputs, ShapeFn};
use oplink_api::spec::{self, ArgSpec, ArgType, Flags};
use oplink_api::{AttrMap, AttrValue, DType, NodeInfo, OpSpec, PartialShape, Result, Shape, ShapeContext, Tensor};

/// The shape function of each op in the file.
const FUNCTIONS: &[(&str, ShapeFn)] = &[
    ("AddN", f::merge_inputs),
    ("AddV2", f::broadcast_binary),
    ("ArgMax", f::arg_reduction),
    ("AvgPool", f::avg_pool),
    ("AvgPoolGrad", f::avg_pool_grad),
    ("BatchMatMul", f::batch_matmul_v1),
    ("BatchMatMulV2", f::batch_matmul),
    ("BiasAdd", f::bias_add),
    ("BiasAddGrad", f::bias_add_grad),
    ("Bitcast", f::bitcast),
    ("BroadcastArgs", f::broadcast_args),
    ("BroadcastTo", f::broadcast_to),
    ("Concat", f::concat),
    ("ConcatV2", f::concat),
    ("Conv2D", f::conv2d),
    ("Conv2DBackpropFilter", f::conv2d_backprop_filter),
    ("Conv2DBackpropInput", f::conv2d_backprop_input),
    ("DepthToSpace", f::depth_to_space),
    ("DepthwiseConv2dNative", f::depthwise_conv2d),
    ("EnsureShape", f::ensure_shape),
    ("Equal", f::comparison),
    ("ExpandDims", f::expand_dims),
    ("Fill", f::fill),
    ("FusedBatchNorm", f::fused_batch_norm),
    ("FusedBatchNormV3", f::fused_batch_norm),
    ("Gather", f::gather),
    ("GatherNd", f::gather_nd),
    ("GatherV2", f::gather_v2),
    ("IdentityN", f::unchanged),
    ("InvertPermutation", f::invert_permutation),
    ("L2Loss", f::scalar),
    ("LinSpace", f::lin_space),
    ("MatMul", f::matmul),
    ("MatrixBandPart", f::matrix_band_part),
    ("MatrixDiag", f::matrix_diag),
    ("MatrixDiagPart", f::matrix_diag_part),
    ("MaxPool", f::max_pool),
    ("MaxPoolGrad", f::max_pool_grad),
    ("MirrorPad", f::mirror_pad),
    ("NotEqual", f::comparison),
    ("OneHot", f::one_hot),
    ("Pack", f::pack),
    ("Pad", f::pad),
    ("PadV2", f::pad),
    ("Placeholder", f::placeholder),
    ("PlaceholderWithDefault", f::placeholder_with_default),
    ("Range", f::range),
    ("Rank", f::rank),
    ("Relu", f::unchanged),
    ("Reshape", f::reshape),
    ("ReverseV2", f::reverse_v2),
    ("Select", f::select),
    ("SelectV2", f::select_v2),
    ("Shape", f::shape),
    ("ShapeN", f::shape_n),
    ("Size", f::size),
    ("Slice", f::slice),
    ("Softmax", f::unchanged_with_rank_at_least::<1>),
    ("SpaceToDepth", f::space_to_depth),
    ("Split", f::split),
    ("SplitV", f::split_v),
    ("Squeeze", f::squeeze),
    ("StridedSlice", f::strided_slice),
    ("Sum", f::reduction),
    ("Tile", f::tile),
    ("Transpose", f::transpose),
    ("Unpack", f::unpack),
    ("Where", f::where_indices),
];

#[test]
fn shape_functions_infer_as_tensorflow() {
    let mut differences = Vec::new();
    let mut cases = 0;
    // Under an interpreter all of them take hours.
    let step = if cfg!(miri) { 50 } else { 1 };
    for block in include_str!("../data/shapes.txt").split("\nop ") {
        let (name, rest) = block.trim_start_matches("op ").split_once('\n').unwrap();
        let op = declaration(name, rest);
        let function =
            FUNCTIONS.iter().find(|(op, _)| *op == name).unwrap_or_else(|| panic!("no function for {name}")).1;
        for line in rest.lines().filter(|line| line.contains('|')).step_by(step) {
            cases += step;
            let expected = line.rsplit_once('|').unwrap().1.trim();
            let (text, error) = match infer(&op, function, line) {
                Ok(shapes) => (shapes.iter().map(PartialShape::to_string).collect::<Vec<_>>().join(" "), String::new()),
                Err(error) => ("error".to_owned(), format!(" ({error})")),
            };
            if text != expected {
                differences.push(format!("{name} {line}\n    got {text}{error}"));
            }
        }
    }
    assert!(cases > 3000, "{cases} cases");
    assert!(differences.is_empty(), "{} of {cases} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn constants_have_the_shape_of_their_value() {
    let attrs = [("value", AttrValue::from(Tensor::from_slice(&[1f32, 2.0])))].into_iter().collect();
    let op = OpSpec::from_pieces("Const", &[], &["output: float"], &["value: tensor"], Flags::default(), None).unwrap();
    let node = node(&Arc::new(op), attrs, vec![], vec![]);
    let mut context = ShapeContext::new(&node, &[], &oplink_api::shape_inference::NoConstants);
    f::constant(&mut context).unwrap();
    assert_eq!(context.output_shapes(), [PartialShape::new(&[Some(2)])]);
}

#[test]
fn the_shared_functions_without_a_case_do_what_they_say() {
    let op = OpSpec::from_pieces("Two", &["x: float"], &["a: float", "b: float"], &[], Flags::default(), None).unwrap();
    let node = node(&Arc::new(op), AttrMap::new(), vec![DType::Float], std::iter::once(0..1).collect());
    let shape = PartialShape::new(&[None, Some(2)]);
    let run = |function: ShapeFn| {
        let mut context =
            ShapeContext::new(&node, std::slice::from_ref(&shape), &oplink_api::shape_inference::NoConstants);
        function(&mut context).map(|()| context.into_output_shapes())
    };
    assert_eq!(run(f::unknown).unwrap(), vec![PartialShape::unknown(); 2]);
    assert_eq!(run(f::no_outputs).unwrap(), vec![PartialShape::unknown(); 2]);
    assert_eq!(run(f::unchanged).unwrap(), vec![shape.clone(); 2]);
    assert_eq!(run(f::unchanged_with_rank::<2>).unwrap(), vec![shape.clone(); 2]);
    assert!(run(f::unchanged_with_rank::<3>).is_err());
    assert!(run(f::unchanged_with_rank_at_least::<3>).is_err());
    assert!(run(f::unchanged_with_rank_at_most::<1>).is_err());
    assert_eq!(run(f::unchanged_with_rank_at_most::<2>).unwrap(), vec![shape.clone(); 2]);
    assert_eq!(run(f::broadcast_all).unwrap(), vec![shape; 2]);
}

fn declaration(name: &str, text: &str) -> Arc<OpSpec> {
    let pieces = |what: &str| -> Vec<&str> {
        let prefix = format!("  {what} ");
        text.lines().filter_map(|line| line.strip_prefix(prefix.as_str())).collect()
    };
    let op = OpSpec::from_pieces(name, &pieces("input"), &pieces("output"), &pieces("attr"), Flags::default(), None);
    Arc::new(op.unwrap_or_else(|problems| panic!("{name}: {problems:?}")))
}

/// An input as a case states it.
struct Given {
    dtype: DType,
    shape: PartialShape,
    constant: Option<Tensor>,
    known: Option<PartialShape>,
}

struct Constants(Vec<Given>);

impl ConstantInputs for Constants {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.0[index].constant.as_ref()
    }

    fn as_shape(&self, index: usize) -> Option<PartialShape> {
        self.0[index].known.clone()
    }
}

fn infer(op: &Arc<OpSpec>, function: ShapeFn, line: &str) -> Result<Vec<PartialShape>> {
    let mut columns = line.split('|').map(str::trim);
    let (attrs, inputs) = (columns.next().unwrap(), columns.next().unwrap());
    let mut given = Vec::new();
    let mut ranges = Vec::new();
    for part in groups(inputs) {
        let start = given.len();
        given.extend(part.trim_matches(['{', '}']).split(' ').map(input));
        ranges.push(start..given.len());
    }
    let dtypes: Vec<DType> = given.iter().map(|input| input.dtype).collect();
    let attrs = all_attrs(op, attrs, &dtypes, &ranges);
    let node = node(op, attrs, dtypes, ranges);
    let shapes: Vec<PartialShape> = given.iter().map(|input| input.shape.clone()).collect();
    let constants = Constants(given);
    let mut context = ShapeContext::new(&node, &shapes, &constants);
    function(&mut context)?;
    Ok(context.into_output_shapes())
}

/// Words between blanks, a list in braces being one.
fn groups(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ' ' if depth == 0 => {
                out.extend(Some(&text[start..at]).filter(|part| !part.is_empty()));
                start = at + 1;
            }
            _ => {}
        }
    }
    out
}

fn input(text: &str) -> Given {
    let at = text.find(['[', '?']).unwrap();
    let dtype = DType::parse(&text[..at]).unwrap();
    let (shape, values) = match text[at..].find(['=', '~']) {
        Some(mark) => (&text[at..at + mark], Some(&text[at + mark..])),
        None => (&text[at..], None),
    };
    let shape = partial(shape);
    let values_of = |prefix| values.and_then(|values| values.strip_prefix(prefix)).map(list);
    let constant = values_of('=').map(|values| tensor(dtype, &shape.to_shape().unwrap(), &values));
    let dims = |values: Vec<&str>| values.iter().map(|v| v.parse::<usize>().ok()).collect();
    Given { dtype, constant, known: values_of('~').map(dims), shape }
}

fn list(text: &str) -> Vec<&str> {
    text.split(',').filter(|part| !part.is_empty()).collect()
}

fn partial(text: &str) -> PartialShape {
    match text.trim_matches(['[', ']', '<', '>']) {
        "?" if !text.starts_with(['[', '<']) => PartialShape::unknown(),
        dims => list(dims).iter().map(|dim| -> Dim { dim.parse().ok() }).collect(),
    }
}

fn tensor(dtype: DType, shape: &Shape, values: &[&str]) -> Tensor {
    fn of<T: oplink_api::Element>(shape: &Shape, values: &[&str], read: impl Fn(&str) -> T) -> Tensor {
        Tensor::from_vec(shape.clone(), values.iter().map(|v| read(v)).collect()).unwrap()
    }
    match dtype {
        DType::Int32 => of(shape, values, |v| v.parse::<i32>().unwrap()),
        DType::Int64 => of(shape, values, |v| v.parse::<i64>().unwrap()),
        DType::Int16 => of(shape, values, |v| v.parse::<i16>().unwrap()),
        DType::Float => of(shape, values, |v| v.parse::<f32>().unwrap()),
        DType::Double => of(shape, values, |v| v.parse::<f64>().unwrap()),
        DType::Half => of(shape, values, |v| f16::from_f64(v.parse().unwrap())),
        DType::BFloat16 => of(shape, values, |v| bf16::from_f64(v.parse().unwrap())),
        other => panic!("no constants of {other}"),
    }
}

/// The attrs given in the case, those that follow from its inputs, and defaults.
fn all_attrs(op: &OpSpec, text: &str, dtypes: &[DType], ranges: &[std::ops::Range<usize>]) -> AttrMap {
    let mut known: HashMap<&str, AttrValue> = HashMap::new();
    for (arg, range) in op.inputs.iter().zip(ranges) {
        let dtypes = &dtypes[range.clone()];
        if let Some(number) = &arg.number_attr {
            known.insert(number, AttrValue::Int(range.len() as i64));
        }
        match &arg.ty {
            ArgType::Attr(name) => known.insert(name, AttrValue::Type(dtypes[0])),
            ArgType::ListAttr(name) => known.insert(name, AttrValue::Types(dtypes.to_vec())),
            ArgType::Type(_) => None,
        };
    }
    for (name, value) in groups(text).iter().map(|part| part.split_once('=').unwrap()) {
        known.insert(name, attr(value));
    }
    let value = |attr: &spec::AttrSpec| {
        let given = known.get(attr.name.as_str()).cloned();
        given
            .or_else(|| attr.default.as_ref().map(default))
            .unwrap_or_else(|| panic!("{} lacks {}", op.name, attr.name))
    };
    op.attrs.iter().map(|attr| (attr.name.as_str(), value(attr))).collect()
}

fn attr(text: &str) -> AttrValue {
    if let Some(text) = text.strip_prefix('"') {
        return text.trim_end_matches('"').into();
    }
    if let Some(text) = text.strip_prefix('[') {
        return AttrValue::Ints(list(text.trim_end_matches(']')).iter().map(|v| v.parse().unwrap()).collect());
    }
    match text {
        "true" => true.into(),
        "false" => false.into(),
        _ if text.starts_with(['<', '?']) => partial(text).into(),
        _ if text.contains('.') => text.parse::<f32>().unwrap().into(),
        _ => text.parse::<i64>().map_or_else(|_| DType::parse(text).unwrap().into(), AttrValue::from),
    }
}

fn default(value: &spec::AttrValue) -> AttrValue {
    match value {
        spec::AttrValue::String(v) => AttrValue::String(v.clone()),
        spec::AttrValue::Int(v) => AttrValue::Int(*v),
        spec::AttrValue::Float(v) => AttrValue::Float(*v),
        spec::AttrValue::Bool(v) => AttrValue::Bool(*v),
        spec::AttrValue::Type(v) => AttrValue::Type(*v),
        spec::AttrValue::Shape(v) => AttrValue::Shape(PartialShape::from_i64(v.as_deref()).unwrap()),
        spec::AttrValue::List(v) => AttrValue::Ints(v.ints.clone()),
        other => panic!("no default {other:?} in the cases"),
    }
}

fn node(
    op: &Arc<OpSpec>,
    attrs: AttrMap,
    input_dtypes: Vec<DType>,
    input_ranges: Vec<std::ops::Range<usize>>,
) -> NodeInfo {
    let mut output_dtypes = Vec::new();
    let mut output_ranges = Vec::new();
    for arg in &op.outputs {
        let start = output_dtypes.len();
        output_dtypes.extend(arg_dtypes(arg, &attrs));
        output_ranges.push(start..output_dtypes.len());
    }
    let (name, device, op) = (op.name.clone(), String::new(), op.clone());
    NodeInfo { name, op, device, attrs, input_dtypes, output_dtypes, input_ranges, output_ranges, shape_fn: None }
}

fn arg_dtypes(arg: &ArgSpec, attrs: &AttrMap) -> Vec<DType> {
    let one = match &arg.ty {
        ArgType::Type(dtype) => *dtype,
        ArgType::Attr(name) => attrs.read(name).unwrap(),
        ArgType::ListAttr(name) => return attrs.read(name).unwrap(),
    };
    let count = arg.number_attr.as_ref().map_or(1, |name| attrs.read::<i64>(name).unwrap());
    vec![one; count as usize]
}
