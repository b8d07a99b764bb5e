//! Runs that wait for units of work, and files that are not what they should be.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use oplink::prelude::*;
use oplink_bundle::masked_crc32c;
use oplink_cpu_support::stepping::{InStep, Running};

const STRING: &[DType] = &[DType::String];

struct Files(PathBuf);

impl Files {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("oplink-reader-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

struct Reading {
    step: InStep,
    queue: Tensor,
    reader: Tensor,
}

impl Reading {
    fn new(op: &str, attrs: &[(&str, AttrValue)]) -> Self {
        let step = InStep::new(1);
        let queue = step.one("FIFOQueueV2", &[("component_types", STRING.into())], vec![]).unwrap();
        let reader = step.one(op, attrs, vec![]).unwrap();
        Self { step, queue, reader }
    }

    fn put(&self, unit: &str) {
        let inputs = vec![self.queue.clone(), Tensor::scalar(TString::from(unit))];
        self.step.start("QueueEnqueueV2", &[], inputs).unwrap().recv().unwrap().unwrap();
    }

    fn read_in(&self, step: &InStep) -> Running {
        step.start("ReaderReadV2", &[], vec![self.reader.clone(), self.queue.clone()]).unwrap()
    }

    /// The key behind the name of the file, and the value.
    fn read(&self) -> Result<(String, String)> {
        let outputs = self.read_in(&self.step).recv_timeout(Duration::from_secs(20)).unwrap()?;
        Ok(pair(&outputs))
    }

    fn count(&self, op: &str) -> i64 {
        self.step.one(op, &[], vec![self.reader.clone()]).unwrap().to_scalar().unwrap()
    }
}

fn pair(outputs: &[Option<Tensor>]) -> (String, String) {
    let text = |at: usize| {
        let string: TString = outputs[at].as_ref().unwrap().to_scalar().unwrap();
        string.to_str().unwrap().to_owned()
    };
    (text(0).rsplit(':').next().unwrap().to_owned(), text(1))
}

fn record(bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u64).to_le_bytes();
    [&length, &masked_crc32c(&length).to_le_bytes()[..], bytes, &masked_crc32c(bytes).to_le_bytes()].concat()
}

#[test]
fn runs_wait_in_order_for_units_of_work() {
    let reading = Reading::new("IdentityReaderV2", &[]);
    let other = reading.step.next();
    let (first, second, third) =
        (reading.read_in(&reading.step), reading.read_in(&other), reading.read_in(&reading.step));
    assert!([&first, &second, &third].iter().all(|run| run.try_recv().is_err()));
    other.step().cancellation().cancel(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, "too late"));
    assert_eq!(second.recv().unwrap().unwrap_err().code(), Code::DeadlineExceeded);
    reading.put("a");
    assert_eq!(pair(&first.recv().unwrap().unwrap()).1, "a");
    assert!(third.try_recv().is_err());
    reading.put("b");
    assert_eq!(pair(&third.recv().unwrap().unwrap()).1, "b");
    assert_eq!(reading.count("ReaderNumWorkUnitsCompletedV2"), 2);
    let (waits, after) = (reading.read_in(&reading.step), reading.read_in(&reading.step));
    let close = reading.step.start("QueueCloseV2", &[], vec![reading.queue.clone()]).unwrap();
    close.recv().unwrap().unwrap();
    assert_eq!(waits.recv().unwrap().unwrap_err().code(), Code::OutOfRange);
    assert_eq!(after.recv().unwrap().unwrap_err().code(), Code::OutOfRange);
}

#[test]
fn a_reader_that_waits_does_not_keep_its_queue() {
    let reading = Reading::new("IdentityReaderV2", &[]);
    let (waits, after) = (reading.read_in(&reading.step), reading.read_in(&reading.step));
    reading.step.run("DestroyResourceOp", &[], vec![reading.queue.clone()]).unwrap();
    assert!(waits.recv_timeout(Duration::from_secs(20)).unwrap().is_err());
    assert!(after.recv_timeout(Duration::from_secs(20)).unwrap().is_err());
}

#[test]
fn compressed_records_are_read_and_damaged_ones_are_not() {
    let (files, plain) = (Files::new("records"), [record(b"one"), record(b""), record(b"three")].concat());
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&plain).unwrap();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(&plain).unwrap();
    for (compression, bytes) in
        [("GZIP", gzip.finish().unwrap()), ("ZLIB", zlib.finish().unwrap()), ("", plain.clone())]
    {
        let reading = Reading::new("TFRecordReaderV2", &[("compression_type", compression.into())]);
        reading.put(&files.write("whole", &bytes));
        let expected = [("0", "one"), ("19", ""), ("35", "three")];
        for (key, value) in expected {
            assert_eq!(reading.read().unwrap(), (key.to_owned(), value.to_owned()));
        }
        reading.put(&files.write("half", &bytes[..bytes.len() - 4]));
        let error = (0..4).find_map(|_| reading.read().err()).unwrap();
        assert_eq!(error.code(), Code::DataLoss, "{compression}");
        assert_eq!(reading.read().unwrap_err().code(), Code::DataLoss);
    }
    let huge = u64::MAX.to_le_bytes();
    let reading = Reading::new("TFRecordReaderV2", &[]);
    reading.put(&files.write("huge", &[&huge[..], &masked_crc32c(&huge).to_le_bytes(), b"few"].concat()));
    assert_eq!(reading.read().unwrap_err().code(), Code::DataLoss);
}

#[test]
fn a_missing_file_is_lost_and_the_next_is_read() {
    let files = Files::new("missing");
    let reading = Reading::new("TextLineReaderV2", &[("skip_header_lines", 1.into())]);
    reading.put(&format!("{}/none", files.0.display()));
    reading.put(&files.write("lines", b"skipped\r\nfirst\r\n\nlast"));
    assert_eq!(reading.read().unwrap_err().code(), Code::NotFound);
    for (key, value) in [("2", "first"), ("3", ""), ("4", "last")] {
        assert_eq!(reading.read().unwrap(), (key.to_owned(), value.to_owned()));
    }
    assert_eq!(reading.count("ReaderNumRecordsProducedV2"), 3);
}
