//! Parts of descriptors and of the lists that hold them.

use crate::arguments::TypedOp;
use crate::descriptor::{KernelDescriptor, Location, OpDescriptor, OpFlags};
use crate::{Construction, DType, Kernel, KernelConstruction, KernelContext, RawKernel, Result};

/// The constructor of a kernel type that takes its arguments by position.
///
/// # Errors
/// As [`RawKernel::new`].
pub fn create_raw<K: RawKernel>(construction: &KernelConstruction<'_>) -> Result<Box<dyn RawKernel + 'static>> {
    Ok(Box::new(K::new(construction)?))
}

/// The constructor of a kernel type with typed arguments.
///
/// # Errors
/// As [`Kernel::new`]; the node's attrs are not those of the op.
pub fn create<K: Kernel>(construction: &KernelConstruction<'_>) -> Result<Box<dyn RawKernel + 'static>> {
    Ok(Box::new(Typed(K::new(Construction::new(*construction)?)?)))
}

/// Binds the arguments of each run.
struct Typed<K>(K);

impl<K: Kernel> RawKernel for Typed<K> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        K::new(Construction::new(*construction)?).map(Self)
    }

    #[inline]
    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (mut inputs, mut outputs, env) = context.split();
        let inputs = K::Op::inputs(&mut inputs)?;
        self.0.compute(inputs, &mut K::Op::outputs(&mut outputs)?, env)
    }
}

/// Whether the dtype is in the list.
pub const fn is_one_of(dtype: DType, list: &[DType]) -> bool {
    let mut index = 0;
    while index < list.len() {
        if list[index] as u8 == dtype as u8 {
            return true;
        }
        index += 1;
    }
    false
}

/// The descriptor of the `#[kernel]` at one position among several on an item.
pub trait KernelAt<const INDEX: usize> {
    const DESCRIPTOR: &'static KernelDescriptor;
}

/// The number of kernels in lists.
pub const fn count(lists: &[&[&'static KernelDescriptor]]) -> usize {
    let (mut total, mut index) = (0, 0);
    while index < lists.len() {
        total += lists[index].len();
        index += 1;
    }
    total
}

/// The kernels of lists as one array, of `count` elements.
pub const fn flatten<const N: usize>(lists: &[&[&'static KernelDescriptor]]) -> [&'static KernelDescriptor; N] {
    let mut flat = [&INVALID_KERNEL; N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            flat[at] = lists[list][index];
            at += 1;
            index += 1;
        }
        list += 1;
    }
    flat
}

const NOWHERE: Location = Location { crate_name: "", crate_version: "", file: "", line: 0 };

/// Stands for an op whose declaration does not compile.
pub static INVALID_OP: OpDescriptor = OpDescriptor {
    name: "",
    inputs: &[],
    outputs: &[],
    attrs: &[],
    flags: OpFlags {
        commutative: false,
        aggregate: false,
        stateful: false,
        allows_uninitialized_input: false,
        distributed_communication: false,
    },
    deprecation: None,
    shape: None,
    doc: "",
    no_gradient: false,
    facts: &[],
    excluded: false,
    location: NOWHERE,
};

/// Fills arrays of kernels until they are written.
static INVALID_KERNEL: KernelDescriptor = KernelDescriptor {
    op: "",
    device: "",
    label: "",
    priority: 0,
    host_memory: &[],
    forward: &[],
    type_attrs: &[],
    entries: &[],
    excluded: &[],
    location: NOWHERE,
};
