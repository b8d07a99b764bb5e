//! Inputs that make no dataset are errors that say what is wrong.

use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_data::dataset::MAX_DEPTH;
use oplink_cpu_support::stepping::InStep;

fn range(step: &InStep, count: i64) -> Tensor {
    let inputs = [0, count, 1].map(Tensor::scalar).to_vec();
    step.one("RangeDataset", &attrs(), inputs).unwrap()
}

fn attrs() -> Vec<(&'static str, AttrValue)> {
    let (types, shapes) = (vec![DType::Int64], vec![PartialShape::scalar()]);
    vec![("output_types", AttrValue::Types(types)), ("output_shapes", AttrValue::Shapes(shapes))]
}

#[track_caller]
fn fails(op: &str, dataset: Tensor, numbers: &[i64], wanted: &str) {
    let inputs = std::iter::once(dataset).chain(numbers.iter().copied().map(Tensor::scalar)).collect();
    let error = InStep::new(1).one(op, &attrs(), inputs).unwrap_err();
    assert!(error.to_string().contains(wanted), "{op}: {error}");
}

#[test]
fn numbers_that_fit_no_dataset_are_refused() {
    let range = || range(&InStep::new(1), 5);
    fails("BatchDataset", range(), &[0], "batch_size must be greater than 0, it is 0");
    fails("ShardDataset", range(), &[0, 0], "num_shards must be greater than 0");
    fails("ShardDataset", range(), &[2, 2], "index must be between 0 and 1");
    fails("PrefetchDataset", range(), &[-2], "buffer_size must be 0 or more");
    fails("ShuffleDataset", range(), &[0, 1, 1], "buffer_size must be greater than 0");
    fails("ShuffleAndRepeatDataset", range(), &[1, 1, 1, 0], "count must be greater than 0");
    fails("SleepDataset", range(), &[-1], "sleep_microseconds must not be negative");
    let step = InStep::new(1).one("RangeDataset", &attrs(), [0i64, 5, 0].map(Tensor::scalar).to_vec()).unwrap_err();
    assert!(step.to_string().contains("step must not be 0"), "{step}");
}

#[test]
fn what_is_no_dataset_is_named() {
    fails("TakeDataset", Tensor::scalar(Variant::default()), &[1], "it holds nothing, not a dataset");
    let two = Tensor::from_vec([2], vec![Variant::default(); 2]).unwrap();
    fails("TakeDataset", two, &[1], "it must be a scalar that holds a dataset");
}

#[test]
fn devices_that_share_an_iterator_ask_for_what_is_theirs() {
    let step = InStep::new(1);
    let devices = AttrValue::Strings(vec![b"/cpu:0".to_vec(); 2]);
    let made = [vec![("devices", devices)], attrs()].concat();
    let iterator = step.one("AnonymousMultiDeviceIteratorV3", &made, vec![]).unwrap();
    let next = |shard: i32, start: i64| {
        let inputs = vec![iterator.clone(), Tensor::scalar(shard), Tensor::scalar(start)];
        step.one("MultiDeviceIteratorGetNextFromShard", &attrs(), inputs)
    };
    assert!(next(0, 0).unwrap_err().to_string().contains("run the op MultiDeviceIteratorInit first"));
    let inputs = |most: i64| vec![range(&step, 3), iterator.clone(), Tensor::scalar(most)];
    let error = step.one("MultiDeviceIteratorInit", &[], inputs(0)).unwrap_err();
    assert!(error.to_string().contains("max_buffer_size must be greater than 0"), "{error}");
    let start = step.one("MultiDeviceIteratorInit", &[], inputs(1)).unwrap();
    assert_eq!(start.to_scalar::<i64>().unwrap(), 1);
    let error = next(2, 1).unwrap_err();
    assert!(error.to_string().contains("shard_num is 2, the iterator has 2 devices"), "{error}");
    let error = next(0, 7).unwrap_err();
    assert!(error.to_string().contains("incarnation_id is 7, that of the last start is 1"), "{error}");
    let taken = [1, 0, 0].map(|shard| next(shard, 1).unwrap().to_scalar::<i64>().unwrap());
    assert_eq!(taken, [1, 0, 2]);
    assert_eq!(next(1, 1).unwrap_err().code(), oplink::Code::OutOfRange);
}

#[test]
fn sizes_beyond_memory_take_none() {
    let step = InStep::new(1);
    let mut dataset = range(&step, 3);
    for (op, numbers) in [
        ("RepeatDataset", &[1][..]),
        ("PrefetchDataset", &[i64::MAX]),
        ("ShuffleDataset", &[i64::MAX, 1, 1]),
        ("BatchDataset", &[i64::MAX]),
    ] {
        let inputs = std::iter::once(dataset).chain(numbers.iter().copied().map(Tensor::scalar)).collect();
        dataset = step.one(op, &attrs(), inputs).unwrap();
    }
    let attrs = [
        ("output_types", AttrValue::Types(vec![DType::Int64])),
        ("output_shapes", AttrValue::Shapes(vec![PartialShape::unknown()])),
    ];
    let element = step.one("DatasetToSingleElement", &attrs, vec![dataset]).unwrap();
    let mut numbers = element.as_slice::<i64>().unwrap().to_vec();
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2]);
}

/// One op after another, each on the dataset before it; the number of elements that all give.
fn pass_through(op: &str, count: usize, more: &[i64]) -> Result<usize> {
    let step = InStep::new(1);
    let mut dataset = range(&step, 2);
    for _ in 1..count {
        let inputs = std::iter::once(dataset).chain(more.iter().copied().map(Tensor::scalar)).collect();
        dataset = step.one(op, &attrs(), inputs)?;
    }
    let iterator = step.one("AnonymousIteratorV3", &attrs(), vec![])?;
    step.run("MakeIterator", &[], vec![dataset, iterator.clone()])?;
    let mut elements = 0;
    while step.one("IteratorGetNext", &attrs(), vec![iterator.clone()]).is_ok() {
        elements += 1;
    }
    Ok(elements)
}

#[test]
fn datasets_behind_one_another_have_a_limit() {
    for (op, more) in
        [("SkipDataset", &[0][..]), ("RepeatDataset", &[1]), ("PrefetchDataset", &[0]), ("IgnoreErrorsDataset", &[])]
    {
        assert_eq!(pass_through(op, MAX_DEPTH, more).unwrap(), 2, "{op}");
        let error = pass_through(op, MAX_DEPTH + 1, more).unwrap_err();
        assert!(error.to_string().contains("datasets are behind one another"), "{op}: {error}");
    }
}
