//! The functions that hosts call to make kernels and to infer shapes.
//!
//! The C ABI passes them nothing that tells for which kernel or op they are called, so there is one for each: an
//! instance of one generic function for each position, taken from a table as long as the plugin's libraries need.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;

use oplink_abi::{CreateFn, ShapeInferenceFn, TF_OpKernelConstruction, TF_ShapeInferenceContext, TF_Status};
use oplink_api::descriptors::Library;

use crate::{construction, shape_fn};

/// Positions in a row of the table.
const ROW: usize = 16;
/// Kernels, and ops, that a plugin can have.
const MOST: usize = 64 * ROW;

unsafe extern "C" fn create<const R: usize, const I: usize>(c: *mut TF_OpKernelConstruction) -> *mut c_void {
    // SAFETY: the host passes the construction of a kernel that was registered at this position.
    unsafe { construction::create(R * ROW + I, c) }
}

unsafe extern "C" fn infer<const R: usize, const I: usize>(c: *mut TF_ShapeInferenceContext, status: *mut TF_Status) {
    // SAFETY: the host passes the context of an op that was registered at this position.
    unsafe { shape_fn::infer(R * ROW + I, c, status) }
}

type CreateRow = [CreateFn; ROW];
type InferRow = [ShapeInferenceFn; ROW];

/// One row of each table.
struct Rows<const R: usize>;

macro_rules! rows {
    ($($index:literal)*) => {
        impl<const R: usize> Rows<R> {
            const CREATE: CreateRow = [$(Some(create::<R, $index>)),*];
            const INFER: InferRow = [$(Some(infer::<R, $index>)),*];
        }
    };
}

rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// The shortest table of at least that many positions. Only the one that is answered gets into the binary.
macro_rules! tables {
    ($name:ident: $row:ty, $which:ident; $([$($r:literal)*])*) => {
        const fn $name(count: usize) -> &'static [$row] {
            $(
                const { assert!([$($r),*].len() * ROW <= MOST) };
                if count <= [$($r),*].len() * ROW {
                    return const { &[$(Rows::<$r>::$which),*] };
                }
            )*
            panic!("a plugin holds at most 1024 ops and 1024 kernels: split it");
        }
    };
}

macro_rules! both_tables {
    ($($rows:tt)*) => {
        tables!(create_table: CreateRow, CREATE; $($rows)*);
        tables!(infer_table: InferRow, INFER; $($rows)*);
    };
}

both_tables!(
    [0]
    [0 1]
    [0 1 2 3]
    [0 1 2 3 4 5 6 7]
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41
     42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63]
);

/// As many functions as some libraries have kernels and ops.
#[derive(Debug)]
pub struct Trampolines {
    create: &'static [CreateRow],
    infer: &'static [InferRow],
}

impl Trampolines {
    /// Kernels, and ops, that a plugin can have.
    pub(crate) const MOST: usize = MOST;

    /// Those of the libraries; evaluated at compile time.
    ///
    /// # Panics
    /// There are more than 1024 ops or kernels.
    #[must_use]
    pub const fn of(libraries: &[&Library]) -> Self {
        let (mut ops, mut kernels, mut at) = (0, 0, 0);
        while at < libraries.len() {
            ops += libraries[at].ops.len();
            kernels += libraries[at].kernels.len();
            at += 1;
        }
        Self { create: create_table(kernels), infer: infer_table(ops) }
    }

    /// The same for as many kernels as a plugin can have.
    pub(crate) const fn with_most_kernels(self) -> Self {
        Self { create: create_table(MOST), ..self }
    }

    /// What makes kernels of the descriptor at this position.
    pub(crate) fn create(&self, position: usize) -> CreateFn {
        self.create.get(position / ROW).and_then(|row| row[position % ROW])
    }

    /// What infers shapes of the op at this position.
    pub(crate) fn infer(&self, position: usize) -> ShapeInferenceFn {
        self.infer.get(position / ROW).and_then(|row| row[position % ROW])
    }
}
