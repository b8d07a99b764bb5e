//! The nn and linalg kernels against `../oracle/nn*.txt`.

use crate::golden::check_all;

const CASES: [&str; 6] = [
    include_str!("../oracle/nn.txt"),
    include_str!("../oracle/nn_fused.txt"),
    include_str!("../oracle/nn_gradients.txt"),
    include_str!("../oracle/nn_more.txt"),
    include_str!("../oracle/nn_pools.txt"),
    include_str!("../oracle/nn_quantized.txt"),
];

#[test]
fn kernels_compute_what_tensorflow_does() {
    CASES.into_iter().for_each(|cases| check_all(cases, 1));
}

#[test]
fn threads_change_nothing() {
    CASES.into_iter().for_each(|cases| check_all(cases, 3));
}
