//! Tensors in a device's memory.

use ndarray::IxDyn;
use oplink::descriptors::Location;
use oplink::device::{DeviceContext, DeviceProgram, copy_to_host_blocking};
use oplink::resource::Variable;
use oplink::{
    AttrValue, Code, DType, DefaultEnv, Error, ErrorKind, NodeInfo, PartialShape, Result, Shape, ShapeContext, Tensor,
};

use super::fake::{Fake, NAME};

fn floats(fake: &Fake) -> Tensor {
    let host = Tensor::from_vec([3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    fake.copy_to_device(&host).unwrap()
}

fn refused<T>(result: Result<T>) -> Error {
    let error = result.err().expect("the host got at device memory");
    assert_eq!((error.kind(), error.code()), (ErrorKind::DeviceMemory, Code::FailedPrecondition), "{error}");
    assert!(error.message().contains(NAME), "{error}");
    error
}

#[test]
fn every_way_of_the_host_to_the_elements_is_refused() {
    let fake = Fake::default();
    let mut tensor = floats(&fake);
    let error = refused(tensor.as_slice::<f32>().map(drop));
    let said = format!("the tensor lies in the memory of {NAME}; the host cannot read it: copy it to the host first");
    assert_eq!(error.message(), said);
    refused(tensor.as_mut_slice::<f32>().map(drop));
    refused(tensor.view::<f32, IxDyn>().map(drop));
    refused(tensor.view_mut::<f32, IxDyn>().map(drop));
    refused(tensor.as_bytes().map(drop));
    refused(tensor.as_mut_bytes().map(drop));
    refused(tensor.deep_copy());
    refused(tensor.to_array::<f32>());
    refused(Vec::<f32>::try_from(&tensor));
    refused(tensor.slice(0, 0).unwrap().as_slice::<f32>().map(drop));
    refused(fake.copy_to_device(&Tensor::scalar(1f32)).unwrap().to_scalar::<f32>());
    assert_eq!(fake.bytes(&tensor).len(), 24);
}

#[test]
fn shared_device_memory_is_not_made_unique_on_the_host() {
    let fake = Fake::default();
    let tensor = floats(&fake);
    let other = tensor.clone();
    refused(tensor.clone().make_unique());
    let variable = Variable::new(DType::Float, PartialShape::unknown());
    variable.assign(tensor).unwrap();
    refused(variable.lock().value_mut(&DefaultEnv).map(drop));
    drop(variable);
    assert!(other.is_unique());
    assert!(other.make_unique().unwrap().is_on_device());
}

#[test]
fn printing_and_comparing_read_nothing() {
    let fake = Fake::default();
    let tensor = floats(&fake);
    assert_eq!(format!("{tensor:?}"), format!("float[3,2] in the memory of {NAME}"));
    assert_eq!(tensor.to_string(), format!("{tensor:?}"));
    assert_ne!(AttrValue::Tensor(tensor.clone()), AttrValue::Tensor(floats(&fake)));
    let shown = format!("{:?}", tensor.device_memory().unwrap());
    assert_eq!(shown, format!("24 bytes at 0x40 + 0 of {NAME}"));
}

#[test]
fn slices_shapes_and_dtypes_share_the_block_at_an_offset() {
    let fake = Fake::default();
    let tensor = floats(&fake);
    let row = tensor.slice(1, 2).unwrap();
    assert!(row.shares_memory_with(&tensor));
    let memory = row.device_memory().unwrap();
    assert_eq!((memory.offset, memory.bytes), (8, 8));
    assert_eq!(row.as_ptr().addr(), memory.block.handle().addr() + 8);
    assert_eq!(fake.bytes(&row), [3f32.to_le_bytes(), 4f32.to_le_bytes()].concat());
    let wide = row.clone().reinterpret(DType::Double, [1]).unwrap();
    assert_eq!((wide.device_memory().unwrap().offset, wide.num_elements()), (8, 1));
    let bytes = tensor.bitcast(DType::Int32).unwrap().with_shape([6]).unwrap();
    assert_eq!((bytes.dtype(), bytes.is_on_device()), (DType::Int32, true));
}

#[test]
fn memory_is_seen_as_words() {
    let fake = Fake::default();
    let words = floats(&fake).device_words().unwrap();
    assert_eq!((words.dtype(), words.shape().dims()), (DType::UInt32, &[6][..]));
    let bytes = fake.copy_to_device(&Tensor::from_slice(&[1u8, 2, 3, 4, 5, 6, 7, 8])).unwrap();
    let words = bytes.slice(4, 7).unwrap().device_words().unwrap();
    assert!(words.shares_memory_with(&bytes));
    assert_eq!((words.num_elements(), words.device_memory().unwrap().offset), (1, 4));
    assert!(bytes.slice(1, 8).unwrap().device_words().unwrap_err().message().contains("within a word"));
    assert!(Tensor::scalar(1f32).device_words().is_err());
}

#[test]
fn a_misaligned_slice_is_not_reinterpreted() {
    let fake = Fake::default();
    let tensor = floats(&fake).with_shape([6]).unwrap().slice(1, 3).unwrap();
    refused(tensor.reinterpret(DType::Double, [1]));
}

#[test]
fn memory_goes_back_with_the_last_reference() {
    let fake = Fake::default();
    let tensor = floats(&fake);
    let row = tensor.slice(0, 1).unwrap();
    let copy = fake.copy_in_device(&row).unwrap();
    assert_eq!(fake.blocks(), 2);
    drop(tensor);
    assert_eq!(fake.blocks(), 2);
    drop((row, copy));
    assert_eq!(fake.blocks(), 0);
}

#[test]
fn a_block_holds_plain_tensors_that_fit() {
    let fake = Fake::default();
    let message = |dtype, shape: Shape| {
        let block = |tensor: Tensor| -> Box<dyn oplink::device::DeviceBlock> { Box::new(Kept(tensor)) };
        Tensor::on_device(dtype, shape, block(floats(&fake))).map(drop).unwrap_err().to_string()
    };
    assert_eq!(message(DType::String, [1].into()), format!("a tensor of string cannot lie in the memory of {NAME}"));
    let short = format!("a block of 24 bytes of {NAME} does not hold a float tensor of shape [7]");
    assert_eq!(message(DType::Float, [7].into()), short);
    let error = Tensor::on_device(DType::Double, [usize::MAX / 4], Box::new(Kept(floats(&fake)))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(Tensor::on_device(DType::Bool, [24], Box::new(Kept(floats(&fake)))).is_ok());
}

/// The block of a tensor, kept by the tensor.
struct Kept(Tensor);

impl oplink::device::DeviceBlock for Kept {
    fn device(&self) -> &str {
        NAME
    }
    fn handle(&self) -> *mut std::ffi::c_void {
        self.0.device_memory().unwrap().block.handle()
    }
    fn offset(&self) -> usize {
        0
    }
    fn bytes(&self) -> usize {
        self.0.num_bytes()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

#[test]
fn copies_to_the_host_are_waited_for() {
    let fake = Fake::default();
    let host = copy_to_host_blocking(&fake, &floats(&fake)).unwrap();
    assert_eq!(host.as_slice::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let silent = Fake { gives_up: true, ..Fake::default() };
    let error = copy_to_host_blocking(&silent, &floats(&silent)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert!(error.message().contains(NAME), "{error}");
}

#[test]
fn a_device_without_programs_says_so() {
    static PROGRAM: DeviceProgram = DeviceProgram {
        name: "Relu relu<f32>",
        entry: "relu",
        cuda: "",
        wgsl: "",
        params: &[],
        block: [256, 1, 1],
        needs: &[],
        location: Location { crate_name: "ops", crate_version: "0.1.0", file: "src/relu.rs", line: 3 },
    };
    let error = Fake::default().launch(&PROGRAM, [1, 1, 1], &[]).unwrap_err();
    assert_eq!(error.code(), Code::Unimplemented);
    assert_eq!(error.message(), format!("{NAME} runs no programs, so not Relu relu<f32> of src/relu.rs:3 (ops 0.1.0)"));
}

#[test]
fn shape_functions_see_values_of_host_inputs_only() {
    let fake = Fake::default();
    let inputs = [fake.copy_to_device(&Tensor::from_slice(&[2i32, 3])).unwrap(), Tensor::from_slice(&[4i32])];
    let node = NodeInfo {
        name: "n".to_owned(),
        op: std::sync::Arc::new(
            oplink::OpSpec::from_pieces(
                "Fill",
                &["dims: int32", "more: int32"],
                &[],
                &[],
                oplink::descriptors::OpFlags::default(),
                None,
            )
            .unwrap(),
        ),
        device: NAME.to_owned(),
        attrs: oplink::AttrMap::default(),
        input_dtypes: vec![DType::Int32; 2],
        output_dtypes: Vec::new(),
        input_ranges: vec![0..1, 1..2],
        output_ranges: Vec::new(),
        shape_fn: None,
    };
    let context = ShapeContext::for_run(&node, &inputs);
    assert!(context.input_tensor(0).is_none());
    assert_eq!(context.constant_ints(0).unwrap(), None);
    assert_eq!(context.constant_ints(1).unwrap(), Some(vec![4]));
    assert_eq!(context.make_shape_from_tensor(0).unwrap(), PartialShape::unknown_of_rank(2));
}
