//! A PyTorch that is made up: the C functions that the plugin looks up, over tensors on the host and on a GPU.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(clippy::missing_safety_doc, unreachable_pub, reason = "functions of the ABI, which are found by their names")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::torch::{BoxedKernelFn, DEVICE_TYPE_CPU, DEVICE_TYPE_CUDA, StableIValue};
use oplink_host_gpu_tests::gpu::{Gpu, Memory};

/// A tensor; handles are boxes of these.
#[derive(Clone, Debug)]
pub(crate) struct FakeTensor {
    pub(crate) sizes: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    pub(crate) dtype: i32,
    pub(crate) storage: Storage,
    /// Bytes from the storage's start to the first element.
    pub(crate) offset: usize,
    pub(crate) device: i32,
}

/// Where elements lie.
#[derive(Clone, Debug)]
pub(crate) enum Storage {
    Host(Arc<Vec<u64>>),
    Gpu(Arc<Memory>),
}

impl FakeTensor {
    fn data(&self) -> *mut c_void {
        let start = match &self.storage {
            Storage::Host(words) => words.as_ptr().cast_mut().cast::<u8>(),
            Storage::Gpu(memory) => memory.address().cast::<u8>(),
        };
        start.wrapping_add(self.offset).cast()
    }

    pub(crate) fn into_value(self) -> StableIValue {
        Box::into_raw(Box::new(self)).expose_provenance() as u64
    }

    /// # Safety
    /// The value is a tensor that nobody took.
    pub(crate) unsafe fn of_value(value: StableIValue) -> Self {
        // SAFETY: the contract of this function.
        *unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<Self>(value as usize)) }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of(self.dtype) * self.sizes.iter().product::<i64>() as usize
    }
}

/// Bytes of an element.
pub(crate) fn size_of(dtype: i32) -> usize {
    match dtype {
        oplink_abi::torch::dtype::BOOL | oplink_abi::torch::dtype::INT8 => 1,
        oplink_abi::torch::dtype::FLOAT16 => 2,
        oplink_abi::torch::dtype::FLOAT32 | oplink_abi::torch::dtype::INT32 => 4,
        oplink_abi::torch::dtype::FLOAT64 | oplink_abi::torch::dtype::INT64 => 8,
        other => panic!("dtype {other}"),
    }
}

thread_local! {
    /// The current stream of this thread.
    static CURRENT: RefCell<Option<Arc<Gpu>>> = const { RefCell::new(None) };
}

/// Runs `body` with a current stream.
pub(crate) fn with_stream<T>(gpu: &Arc<Gpu>, body: impl FnOnce() -> T) -> T {
    CURRENT.set(Some(gpu.clone()));
    let result = body();
    CURRENT.set(None);
    result
}

fn current() -> Arc<Gpu> {
    CURRENT.with_borrow(Clone::clone).expect("a current stream")
}

/// Kernels by dispatch key and op.
pub(crate) static KERNELS: Mutex<Option<HashMap<(String, String), BoxedKernelFn>>> = Mutex::new(None);

struct FakeLibrary(String);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_library_init_fragment(
    _: *const c_char,
    _: *const c_char,
    _: u32,
    library: *mut *mut c_void,
) -> i32 {
    // SAFETY: the place is the caller's.
    unsafe { library.write(Box::into_raw(Box::new(FakeLibrary(String::new()))).cast()) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_library_init_impl(
    _: *const c_char,
    key: *const c_char,
    _: *const c_char,
    _: u32,
    library: *mut *mut c_void,
) -> i32 {
    // SAFETY: the key is terminated, the place the caller's.
    unsafe {
        let key = CStr::from_ptr(key).to_string_lossy().into_owned();
        library.write(Box::into_raw(Box::new(FakeLibrary(key))).cast());
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_library_def(_: *mut c_void, _: *const c_char) -> i32 {
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_library_impl(
    library: *mut c_void,
    name: *const c_char,
    function: BoxedKernelFn,
    _: u64,
) -> i32 {
    // SAFETY: the library is one of the two above, the name terminated.
    let (key, name) =
        unsafe { (&(*library.cast::<FakeLibrary>()).0, CStr::from_ptr(name).to_string_lossy().into_owned()) };
    let mut kernels = KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    let before = kernels.get_or_insert_default().insert((key.clone(), name), function);
    i32::from(before.is_some())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_delete_tensor_object(tensor: *mut c_void) -> i32 {
    // SAFETY: the handle is the caller's to free.
    drop(unsafe { Box::from_raw(tensor.cast::<FakeTensor>()) });
    0
}

macro_rules! getters {
    ($($name:ident -> $type:ty: |$tensor:ident| $value:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(tensor: *mut c_void, value: *mut $type) -> i32 {
            // SAFETY: the handle is alive, the place the caller's.
            unsafe {
                let $tensor = &*tensor.cast::<FakeTensor>();
                value.write($value);
            }
            0
        }
    )*};
}

getters! {
    aoti_torch_get_data_ptr -> *mut c_void: |tensor| tensor.data();
    aoti_torch_get_dim -> i64: |tensor| tensor.sizes.len() as i64;
    aoti_torch_get_sizes -> *const i64: |tensor| tensor.sizes.as_ptr();
    aoti_torch_get_strides -> *const i64: |tensor| tensor.strides.as_ptr();
    aoti_torch_get_dtype -> i32: |tensor| tensor.dtype;
    aoti_torch_get_layout -> i32: |_tensor| 0;
    aoti_torch_get_device_index -> i32: |tensor| tensor.device;
    aoti_torch_get_device_type -> i32: |tensor| match tensor.storage {
        Storage::Host(_) => DEVICE_TYPE_CPU,
        Storage::Gpu(_) => DEVICE_TYPE_CUDA,
    };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_empty_strided(
    rank: i64,
    sizes: *const i64,
    strides: *const i64,
    dtype: i32,
    device_type: i32,
    device: i32,
    tensor: *mut *mut c_void,
) -> i32 {
    let list = |values: *const i64| match rank {
        0 => Vec::new(),
        // SAFETY: there are as many values as the rank.
        _ => unsafe { std::slice::from_raw_parts(values, rank as usize) }.to_vec(),
    };
    let (sizes, strides) = (list(sizes), list(strides));
    let bytes = size_of(dtype) * sizes.iter().product::<i64>() as usize;
    let storage = match device_type {
        DEVICE_TYPE_CPU => Storage::Host(Arc::new(vec![u64::MAX; bytes / 8 + 1])),
        _ => Storage::Gpu(Arc::new(current().allocate(bytes))),
    };
    let made = FakeTensor { sizes, strides, dtype, storage, offset: 0, device };
    // SAFETY: the place is the caller's.
    unsafe { tensor.write(Box::into_raw(Box::new(made)).cast()) };
    0
}

/// Element by element, by way of the host, in the order of the current stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_copy_(to: *mut c_void, from: *mut c_void, _: i32) -> i32 {
    // SAFETY: both handles are alive.
    let (to, from) = unsafe { (&*to.cast::<FakeTensor>(), &*from.cast::<FakeTensor>()) };
    let (Storage::Gpu(target), Storage::Gpu(source)) = (&to.storage, &from.storage) else { return 1 };
    let (gpu, size) = (current(), size_of(to.dtype));
    let bytes = gpu.download(source);
    let mut gathered = Vec::new();
    for at in 0..to.sizes.iter().product::<i64>() {
        let (mut rest, mut place) = (at, from.offset as i64 / size as i64);
        for axis in (0..from.sizes.len()).rev() {
            place += rest % from.sizes[axis] * from.strides[axis];
            rest /= from.sizes[axis];
        }
        let start = place as usize * size;
        gathered.extend_from_slice(&bytes[start..start + size]);
    }
    gpu.write(target, &gathered);
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn aoti_torch_get_current_cuda_stream(_: i32, stream: *mut *mut c_void) -> i32 {
    // SAFETY: the place is the caller's.
    unsafe { stream.write(current().stream()) };
    0
}

/// What PyTorch throws.
#[derive(Debug)]
pub(crate) struct Thrown(pub(crate) String);

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn aoti_torch_check(
    condition: bool,
    _: *const c_char,
    _: *const c_char,
    _: u32,
    message: *const c_char,
) {
    if !condition {
        // SAFETY: the message is terminated.
        let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
        std::panic::resume_unwind(Box::new(Thrown(message)));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_new_list_reserve_size(_: usize, list: *mut *mut c_void) -> i32 {
    // SAFETY: the place is the caller's.
    unsafe { list.write(Box::into_raw(Box::new(Vec::<StableIValue>::new())).cast()) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_list_size(list: *mut c_void, size: *mut usize) -> i32 {
    // SAFETY: the list is alive, the place the caller's.
    unsafe { size.write((&*list.cast::<Vec<StableIValue>>()).len()) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_list_get_item(list: *mut c_void, at: usize, value: *mut StableIValue) -> i32 {
    // SAFETY: the list is alive, the place the caller's.
    unsafe { value.write((&*list.cast::<Vec<StableIValue>>())[at]) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_list_push_back(list: *mut c_void, value: StableIValue) -> i32 {
    // SAFETY: the list is alive.
    unsafe { (&mut *list.cast::<Vec<StableIValue>>()).push(value) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_delete_list(list: *mut c_void) -> i32 {
    // SAFETY: the list is the caller's to free.
    drop(unsafe { Box::from_raw(list.cast::<Vec<StableIValue>>()) });
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_string_length(text: *mut c_void, length: *mut usize) -> i32 {
    // SAFETY: the text is alive, the place the caller's.
    unsafe { length.write((&*text.cast::<String>()).len()) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_string_c_str(text: *mut c_void, start: *mut *const c_char) -> i32 {
    // SAFETY: the text is alive, the place the caller's.
    unsafe { start.write((&*text.cast::<String>()).as_ptr().cast()) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_delete_string(text: *mut c_void) -> i32 {
    // SAFETY: the text is the caller's to free.
    drop(unsafe { Box::from_raw(text.cast::<String>()) });
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_parallel_for(
    start: i64,
    end: i64,
    _: i64,
    body: unsafe extern "C" fn(i64, i64, *mut c_void),
    context: *mut c_void,
) -> i32 {
    // SAFETY: the body takes any range of them.
    unsafe { body(start, end, context) };
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn torch_get_num_threads(count: *mut u32) -> i32 {
    // SAFETY: the place is the caller's.
    unsafe { count.write(1) };
    0
}
