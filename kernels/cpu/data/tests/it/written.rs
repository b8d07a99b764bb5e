//! Elements that are written to files, and what refers to iterators and statistics.

use std::path::PathBuf;

use oplink::Code;
use oplink::prelude::*;
use oplink_cpu_support::stepping::InStep;

fn declared(dtype: DType) -> Vec<(&'static str, AttrValue)> {
    let shapes = AttrValue::Shapes(vec![PartialShape::scalar()]);
    vec![("output_types", AttrValue::Types(vec![dtype])), ("output_shapes", shapes)]
}

fn strings(step: &InStep, strings: &[&str]) -> Tensor {
    let rows = Tensor::from_vec([strings.len()], strings.iter().copied().map(TString::from).collect()).unwrap();
    let attrs = [("Toutput_types", AttrValue::Types(vec![DType::String])), declared(DType::String).remove(1)];
    step.one("TensorSliceDataset", &attrs, vec![rows]).unwrap()
}

/// A file of this test alone.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("oplink-data-{}-{name}", std::process::id()))
}

fn write(step: &InStep, dataset: Tensor, path: &std::path::Path, compression: &str) -> Result<Vec<u8>> {
    let texts = [path.to_str().unwrap(), compression].map(|text| Tensor::scalar(TString::from(text)));
    let written = step.run("DatasetToTFRecord", &[], std::iter::once(dataset).chain(texts).collect());
    let bytes = std::fs::read(path);
    let _ = std::fs::remove_file(path);
    written.map(|_| bytes.unwrap())
}

#[test]
fn records_are_those_of_tensorflow() {
    let (step, path) = (InStep::new(1), file("plain"));
    let bytes = write(&step, strings(&step, &["a", "", "ccc"]), &path, "").unwrap();
    let wanted = b"\x01\0\0\0\0\0\0\0\x01u\xdeAaxn\xe4(\0\0\0\0\0\0\0\0)\x03\x98\x07\xd8\xea\x82\xa2\x03\0\0\0\0\0\0\0\
                   \xb0\x99I\x0eccc\xe5\xbf\x1d\x8e";
    assert_eq!(bytes, wanted);
    assert_eq!(write(&step, strings(&step, &[]), &path, "").unwrap(), b"");
}

#[test]
fn compressed_records_are_read_again() {
    for compression in ["GZIP", "ZLIB"] {
        let (step, path) = (InStep::new(1), file(compression));
        let written = write(&step, strings(&step, &["a", "bb"]), &path, compression).unwrap();
        std::fs::write(&path, written).unwrap();
        let texts = [path.to_str().unwrap(), compression].map(|text| Tensor::scalar(TString::from(text)));
        let inputs = texts.into_iter().chain([Tensor::scalar(0i64)]).collect();
        let records = step.one("TFRecordDataset", &[], inputs).unwrap();
        for (index, wanted) in [(0i64, "a"), (1, "bb")] {
            let inputs = vec![records.clone(), Tensor::scalar(index)];
            let record = step.one("GetElementAtIndex", &declared(DType::String), inputs).unwrap();
            assert_eq!(record.to_scalar::<TString>().unwrap(), TString::from(wanted));
        }
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn what_cannot_be_written_is_named() {
    let (step, path) = (InStep::new(1), file("none"));
    let range = step.one("RangeDataset", &declared(DType::Int64), [0i64, 3, 1].map(Tensor::scalar).to_vec()).unwrap();
    let error = write(&step, range, &path, "").unwrap_err();
    assert!(error.to_string().contains("they must be one string"), "{error}");
    let error = write(&step, strings(&step, &["a"]), &path, "LZ").unwrap_err();
    assert!(error.to_string().contains("the compression must be empty, ZLIB, GZIP or SNAPPY"), "{error}");
    let error = write(&step, strings(&step, &["a"]), &file("none/file"), "").unwrap_err();
    assert_eq!(error.code(), Code::NotFound, "{error}");
}

#[test]
fn a_string_stands_for_an_iterator_of_several_devices() {
    let step = InStep::new(1);
    let attrs = declared(DType::Int64);
    let devices = AttrValue::Strings(vec![b"/cpu:0".to_vec(); 2]);
    let made = [vec![("devices", devices)], attrs.clone()].concat();
    let iterator = step.one("AnonymousMultiDeviceIteratorV3", &made, vec![]).unwrap();
    let dataset = step.one("RangeDataset", &attrs, [0i64, 3, 1].map(Tensor::scalar).to_vec()).unwrap();
    let inputs = vec![dataset, iterator.clone(), Tensor::scalar(1i64)];
    let start = step.one("MultiDeviceIteratorInit", &[], inputs).unwrap();
    let string = step.one("MultiDeviceIteratorToStringHandle", &[], vec![iterator.clone()]).unwrap();
    let found = |attrs: &[_]| step.one("MultiDeviceIteratorFromStringHandle", attrs, vec![string.clone()]);
    let error = found(&declared(DType::Int32)).unwrap_err();
    assert!(error.to_string().contains("the node declares [Int32]"), "{error}");
    let same = found(&attrs).unwrap();
    for (handle, wanted) in [(&same, 1i64), (&iterator, 3)] {
        let inputs = vec![handle.clone(), Tensor::scalar(1i32), start.clone()];
        let next = step.one("MultiDeviceIteratorGetNextFromShard", &attrs, inputs);
        match next {
            Ok(next) => assert_eq!(next.to_scalar::<i64>().unwrap(), wanted),
            Err(error) => assert_eq!(error.code(), Code::OutOfRange, "{error}"),
        }
    }
    let deleter = Tensor::scalar(oplink::resource::Variant::default());
    for handle in [same, iterator] {
        step.run("DeleteMultiDeviceIterator", &[("N", AttrValue::Int(0))], vec![handle, deleter.clone()]).unwrap();
    }
    assert_eq!(found(&attrs).unwrap_err().code(), Code::NotFound);
}

#[test]
fn handles_of_statistics_refer_to_something() {
    let step = InStep::new(1);
    for op in ["StatsAggregatorHandle", "StatsAggregatorHandleV2", "ExperimentalStatsAggregatorHandle"] {
        let handle = step.one(op, &[], vec![]).unwrap();
        assert!(handle.to_scalar::<ResourceHandle>().unwrap().exists(), "{op}");
    }
}

#[test]
fn inputs_that_fit_no_dataset_are_refused() {
    let step = InStep::new(1);
    let attrs = declared(DType::Int64);
    let range = || step.one("RangeDataset", &attrs, [0i64, 3, 1].map(Tensor::scalar).to_vec()).unwrap();
    let fails = |op: &str, more: &[(&'static str, AttrValue)], inputs: Vec<Tensor>, wanted: &str| {
        let attrs = [more, &attrs].concat();
        let error = step.one(op, &attrs, inputs).unwrap_err();
        assert!(error.to_string().contains(wanted), "{op}: {error}");
    };
    let weighted = |weights: [f64; 2]| {
        let inputs = vec![range(), range(), Tensor::scalar(weights[0]), Tensor::scalar(weights[1])];
        fails("WeightedFlatMapDataset", &[], inputs, "weights must be greater than 0");
    };
    [[0.0, 1.0], [1.0, -1.0], [f64::NAN, 1.0]].into_iter().for_each(weighted);
    fails("RebatchDataset", &[], vec![range(), Tensor::scalar(0i64)], "num_replicas must be greater than 0");
    let sparse = |size: i64, shape: &[i64]| vec![range(), Tensor::scalar(size), Tensor::from_slice(shape)];
    fails("DenseToSparseBatchDataset", &[], sparse(0, &[]), "batch_size must be greater than 0");
    fails("DenseToSparseBatchDataset", &[], sparse(1, &[-2]), "there is -2");
    let policy = |policy: i64| [("auto_shard_policy", AttrValue::Int(policy))];
    let workers = |count: i64, index: i64| vec![range(), Tensor::scalar(count), Tensor::scalar(index)];
    fails("AutoShardDataset", &policy(2), workers(0, 0), "num_workers must be greater than 0");
    fails("AutoShardDataset", &policy(2), workers(2, 2), "index must be between 0 and 1");
    fails("AutoShardDataset", &policy(4), workers(2, 0), "auto_shard_policy must be");
    fails("AutoShardDataset", &policy(1), workers(2, 0), "reads no files");
    let options = [("serialized_options", AttrValue::String(b"\xff\xff".to_vec()))];
    fails("OptionsDataset", &options, vec![range()], "serialized_options is no message `Options`");
}
