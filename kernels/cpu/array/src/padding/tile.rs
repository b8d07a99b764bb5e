//! `Tile`: a tensor repeated `multiples[i]` times along each axis `i`.
//!
//! `multiples` is a vector with an element >= 0 for each axis. Every dtype.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Tile, copies};

/// `Tile` of every dtype.
#[kernel(Tile, device = CPU, T = any, Tmultiples = any, host_memory = [multiples])]
pub fn tile_cpu(input: Input<'_>, multiples: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::tile::<Host>(input, multiples, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    #[test]
    fn repeats() {
        let x = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let out = run_one("Tile", vec![x.clone(), Tensor::from([1i64, 2])]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 4][..], &[1, 2, 1, 2, 3, 4, 3, 4][..]));
        let out = run_one("Tile", vec![x.clone(), Tensor::from([2, 1])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(run_one("Tile", vec![x.clone(), Tensor::from([0, 1])]).unwrap().shape().dims(), [0, 2]);
        assert!(run_one("Tile", vec![x.clone(), Tensor::from([-1, 1])]).is_err());
        assert!(run_one("Tile", vec![x, Tensor::from([1])]).is_err());
    }
}
