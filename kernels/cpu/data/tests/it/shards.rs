//! Shards of few elements, of which none may be empty.

use oplink::Code;
use oplink::prelude::*;
use oplink_cpu_support::stepping::InStep;

/// The elements of a shard of three of the numbers below `count`, up to an error.
fn shard(op: &str, more: &[(&'static str, AttrValue)], count: i64, index: i64) -> Result<Vec<i64>> {
    let step = InStep::new(1);
    let (types, shapes) = (vec![DType::Int64], vec![PartialShape::scalar()]);
    let declared = [("output_types", AttrValue::Types(types)), ("output_shapes", AttrValue::Shapes(shapes))];
    let range = step.one("RangeDataset", &declared, [0, count, 1].map(Tensor::scalar).to_vec())?;
    let attrs = [more, &declared].concat();
    let shard = step.one(op, &attrs, vec![range, Tensor::scalar(3i64), Tensor::scalar(index)])?;
    let iterator = step.one("AnonymousIteratorV3", &declared, vec![])?;
    step.run("MakeIterator", &[], vec![shard, iterator.clone()])?;
    let mut elements = Vec::new();
    loop {
        match step.one("IteratorGetNext", &declared, vec![iterator.clone()]) {
            Ok(element) => elements.push(element.to_scalar()?),
            Err(error) if error.code() == Code::OutOfRange => return Ok(elements),
            Err(error) => return Err(error),
        }
    }
}

#[test]
fn shards_with_an_element_need_one_in_all_others() {
    let non_empty = [("require_non_empty", AttrValue::Bool(true))];
    let by_elements = [("auto_shard_policy", AttrValue::Int(2))];
    for (op, attrs) in [("ShardDataset", &non_empty), ("AutoShardDataset", &by_elements)] {
        let shards = |count| [0, 1, 2].map(|index| shard(op, attrs, count, index).map_err(|error| error.code()));
        let none = || Ok(Vec::new());
        let missing = || Err(Code::InvalidArgument);
        assert_eq!(shards(0), [none(), none(), none()], "{op}");
        assert_eq!(shards(1), [missing(), none(), none()], "{op}");
        assert_eq!(shards(2), [missing(), missing(), none()], "{op}");
        assert_eq!(shards(3), [Ok(vec![0]), Ok(vec![1]), Ok(vec![2])], "{op}");
        assert_eq!(shards(4), [Ok(vec![0, 3]), Ok(vec![1]), Ok(vec![2])], "{op}");
    }
}
