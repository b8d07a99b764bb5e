//! `UnsortedSegmentJoin`: strings of each segment joined.

use oplink::memory::{try_collect, try_filled, try_reserve};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::string::UnsortedSegmentJoin;

/// `UnsortedSegmentJoin`.
#[kernel(UnsortedSegmentJoin, device = CPU, Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_join_cpu(
    inputs: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    separator: &[u8],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(num_segments.rank() == 0, "num_segments must be a scalar, its shape is {}", num_segments.shape());
    let segments = int_values(num_segments)?[0];
    let Ok(count) = usize::try_from(segments) else { bail!("num_segments must be >= 0, it is {segments}") };
    ensure!(segment_ids.rank() > 0, "segment_ids must have an axis at least, they are a scalar");
    let (ids, dims) = (segment_ids.shape().dims(), inputs.shape().dims());
    ensure!(
        dims.starts_with(ids),
        "the shape of the inputs must start with that of segment_ids, which is {}; it is {}",
        segment_ids.shape(),
        inputs.shape()
    );
    let out = output.allocate([&[count], &dims[ids.len()..]].concat())?;
    let width: usize = dims[ids.len()..].iter().product();
    let mut joined: Vec<Vec<u8>> = try_filled(Vec::new(), out.num_elements())?;
    let strings = inputs.as_slice::<TString>()?;
    for (at, id) in env.watch(int_values(segment_ids)?).enumerate() {
        let Some(segment) = usize::try_from(id).ok().filter(|&id| id < count) else {
            bail!("segment_ids must be from 0 to num_segments - 1, which is {}; one is {id}", segments - 1)
        };
        let places = joined[segment * width..][..width].iter_mut();
        for (text, string) in env.watch(places.zip(&strings[at * width..])) {
            let separator = if text.is_empty() { &[] } else { separator };
            try_reserve(text, separator.len() + string.as_bytes().len())?;
            text.extend_from_slice(separator);
            text.extend_from_slice(string.as_bytes());
        }
    }
    let texts = try_collect(env.watch(joined).map(TString::new))?;
    out.as_mut_slice::<TString>()?.iter_mut().zip(texts).for_each(|(out, text)| *out = text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check_error, check_with};

    fn strings<const N: usize>(strings: [&str; N]) -> Tensor {
        strings.map(TString::from).into()
    }

    #[test]
    fn segments_are_joined_in_the_order_of_their_strings() {
        let attrs = [("separator", ",".into())];
        let inputs = [strings(["a", "b", "c"]), [0, 1, 0].into(), 3.into()];
        check_with("UnsortedSegmentJoin", &attrs, inputs, strings(["a,c", "b", ""]));
        let inputs = [strings(["", "b", "a", ""]), [0, 1, 0, 0].into(), 2.into()];
        check_with("UnsortedSegmentJoin", &attrs, inputs, strings(["a,", "b"]));
    }

    #[test]
    fn segments_outside_of_the_range_are_errors() {
        let inputs = |id: i32, count: i32| [strings(["a"]), [id].into(), count.into()];
        check_error("UnsortedSegmentJoin", inputs(-1, 2), "segment_ids must be from 0");
        check_error("UnsortedSegmentJoin", inputs(2, 2), "segment_ids must be from 0");
        check_error("UnsortedSegmentJoin", inputs(0, -1), "num_segments must be >= 0");
        check_error("UnsortedSegmentJoin", [strings(["a"]), 0.into(), 1.into()], "must have an axis");
        check_error("UnsortedSegmentJoin", [strings(["a"]), [0, 0].into(), 1.into()], "must start with");
    }
}
