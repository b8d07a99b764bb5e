//! Checkpoints in TensorFlow's tensor-bundle format: what `SaveV2` writes, `RestoreV2` reads and `MergeV2Checkpoints`
//! joins. TensorFlow reads what is written here, and what it writes is read here.
//!
//! A bundle `prefix` is an index, `<prefix>.index`, and data files, `<prefix>.data-SSSSS-of-NNNNN`. The index is a
//! sorted table from names to dtype, shape, place and checksum; the data files are the bytes of the tensors one after
//! another. A tensor may be stored in slices, each with an entry of its own. Everything is covered by checksums, which
//! are verified whenever it is read.
//!
//! [`V1Reader`] and [`V1Writer`] are for the format before bundles, of `Save` and `Restore`.
//!
//! ```
//! use oplink_api::Tensor;
//! use oplink_bundle::{BundleReader, BundleWriter};
//!
//! let prefix = std::env::temp_dir().join(format!("oplink-bundle-example-{}/model", std::process::id()));
//! let mut writer = BundleWriter::new(&prefix)?;
//! writer.add("dense/kernel", &Tensor::from([1.0f32, 2.0]))?;
//! writer.finish()?;
//!
//! let reader = BundleReader::open(&prefix)?;
//! assert_eq!(reader.read("dense/kernel")?.as_slice::<f32>()?, [1.0, 2.0]);
//! # std::fs::remove_dir_all(prefix.parent().unwrap()).unwrap();
//! # Ok::<(), oplink_api::Error>(())
//! ```
//!
//! Files are written under temporary names and renamed when they are complete and on the disk. An error at any point
//! leaves an older checkpoint of the same prefix as it was. The index and the data file are two files, so a process
//! that is killed in the moment between their renames leaves the new data with the old index: a reader then reports
//! checksums that do not match. To be safe from that too, save each checkpoint under a prefix of its own.
#![warn(clippy::missing_errors_doc)]
#![forbid(unsafe_code)]

mod checkpoint;
mod checksum;
mod coverage;
mod error;
mod file;
mod key;
mod merge;
mod message;
mod naming;
mod reader;
mod record;
mod replace;
mod runs;
mod slice;
mod snappy;
mod table;
mod v1;
mod values;
mod writer;

pub use checkpoint::Checkpoint;
pub use checksum::masked_crc32c;
pub use error::file_error;
pub use merge::merge_bundles;
pub use naming::{data_path, index_path};
pub use reader::{BundleReader, TensorInfo};
pub use record::{EventFile, wall_time, write_record};
pub use replace::write_file;
pub use slice::{ShapeAndSlice, TensorSlice};
pub use snappy::{snappy_compress, snappy_expand};
pub use v1::{V1Reader, V1Writer};
pub use writer::BundleWriter;
