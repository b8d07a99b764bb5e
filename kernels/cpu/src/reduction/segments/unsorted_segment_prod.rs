//! `UnsortedSegmentProd`: products of slices by segment, in any order.
//!
//! `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of the
//! output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice hold
//! 1. The 16-bit floats are multiplied in f32, integers wrap.

use oplink::prelude::*;

use super::engine::{Product, reduce_unsorted};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The products of the slices of `data` with one segment id.
#[op("UnsortedSegmentProd",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentProd;

/// `UnsortedSegmentProd` of numbers.
#[kernel(UnsortedSegmentProd, device = CPU, T = [numbers], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_prod_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce_unsorted::<T, Product>(context, T::Lane::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn multiplies_slices() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentProd", [data.clone(), ids.clone(), 3.into()], [1, 8, 1]);
        check(
            "UnsortedSegmentProd",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![1, 1]).unwrap(),
        );
        check_error(
            "UnsortedSegmentProd",
            [data.clone(), ids.clone(), 1.into()],
            "segment_ids[1] = 1 is not in [0, 1)",
        );
        check_error("UnsortedSegmentProd", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentProd", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}
