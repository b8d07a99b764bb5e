//! `Assert`: an error with the values of `data` unless `condition`, a bool scalar, is true.
//!
//! The attr `summarize` is how many elements of each value the message holds.

use oplink::prelude::*;
use oplink_ops::array::Assert;

/// `Assert` with values of every dtype.
#[kernel(Assert, device = CPU)]
pub fn assert_cpu(condition: &Tensor, data: &[Tensor], summarize: i64) -> Result<()> {
    ensure!(condition.rank() == 0, "condition must be a scalar, it has shape {}", condition.shape());
    if condition.to_scalar::<bool>()? {
        return Ok(());
    }
    let most = usize::try_from(summarize).unwrap_or(usize::MAX);
    let values = data.iter().map(|value| summary(value, most)).collect::<Result<Vec<_>>>()?;
    bail!("assertion failed: {}", values.join(" "))
}

/// The first elements of a tensor as text.
fn summary(value: &Tensor, most: usize) -> Result<String> {
    let count = value.num_elements();
    let shown = value.clone().with_shape([count])?.slice(0, count.min(most))?;
    let more = if count > most { format!(" and {} more", count - most) } else { String::new() };
    Ok(format!("[{shown}{more}]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn a_false_condition_is_an_error_with_the_values() {
        let data = || vec![Tensor::from([1, 2, 3, 4]), Tensor::from("why")];
        let assert = |condition: bool| run("Assert", &[], [vec![Tensor::scalar(condition)], data()].concat());
        assert!(assert(true).is_ok());
        let error = assert(false).unwrap_err();
        assert_eq!(error.message(), r#"assertion failed: [int32[3] [1, 2, 3] and 1 more] [string[1] ["why"]]"#);
    }
}
