//! A device whose memory is a store of bytes that tensors do not lead to.

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use oplink::device::{DeviceBlock, DeviceContext};
use oplink::tensor::Allocator;
use oplink::{DType, Error, KernelEnv, Result, Shape, Tensor};

pub(super) const NAME: &str = "/job:localhost/replica:0/task:0/device:FAKE:0";

/// Bytes by handle.
pub(super) type Store = Arc<Mutex<BTreeMap<usize, Vec<u8>>>>;

struct Block {
    store: Store,
    handle: usize,
    bytes: usize,
}

impl DeviceBlock for Block {
    fn device(&self) -> &str {
        NAME
    }
    fn handle(&self) -> *mut c_void {
        std::ptr::without_provenance_mut(self.handle)
    }
    fn offset(&self) -> usize {
        0
    }
    fn bytes(&self) -> usize {
        self.bytes
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.store.lock().unwrap().remove(&self.handle);
    }
}

/// The device, and the names of nodes that allocated.
#[derive(Default)]
pub(super) struct Fake {
    pub(super) store: Store,
    pub(super) owners: Mutex<Vec<String>>,
    /// Whether a copy to the host is dropped without an answer.
    pub(super) gives_up: bool,
}

impl Fake {
    /// The bytes of a tensor of the device.
    pub(super) fn bytes(&self, tensor: &Tensor) -> Vec<u8> {
        let memory = tensor.device_memory().unwrap();
        let store = self.store.lock().unwrap();
        store[&memory.block.handle().addr()][memory.offset..memory.offset + memory.bytes].to_vec()
    }

    pub(super) fn blocks(&self) -> usize {
        self.store.lock().unwrap().len()
    }

    fn fill(&self, tensor: &Tensor, bytes: &[u8]) {
        let handle = tensor.device_memory().unwrap().block.handle().addr();
        self.store.lock().unwrap().insert(handle, bytes.to_vec());
    }
}

impl DeviceContext for Fake {
    fn device(&self) -> &str {
        NAME
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        let bytes = shape.num_elements() * dtype.size().ok_or_else(|| Error::invalid_argument("not plain"))?;
        let handle = {
            let mut store = self.store.lock().unwrap();
            let handle = 64 * (1 + store.keys().last().map_or(0, |last| last / 64));
            store.insert(handle, vec![0xcd; bytes]);
            handle
        };
        Tensor::on_device(dtype, shape, Box::new(Block { store: self.store.clone(), handle, bytes }))
    }

    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        self.owners.lock().unwrap().push(owner.to_owned());
        self.allocate(dtype, shape)
    }

    fn stream(&self) -> *mut c_void {
        std::ptr::null_mut()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        let tensor = self.allocate(host.dtype(), host.shape().clone())?;
        self.fill(&tensor, host.as_bytes()?);
        Ok(tensor)
    }

    fn copy_to_host(&self, device: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        if self.gives_up {
            return;
        }
        let (dtype, shape, bytes) = (device.dtype(), device.shape().clone(), self.bytes(device));
        std::thread::spawn(move || done(Tensor::from_bytes(dtype, shape, &bytes)));
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        let copy = self.allocate(source.dtype(), source.shape().clone())?;
        self.fill(&copy, &self.bytes(source));
        Ok(copy)
    }

    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What kernels on the device run in.
pub(super) struct FakeEnv(pub(super) Arc<dyn DeviceContext>);

impl KernelEnv for FakeEnv {
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        Some(&self.0)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
}
