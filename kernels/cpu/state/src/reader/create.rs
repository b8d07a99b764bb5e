//! Handles of readers: of the records of TensorFlow, of lines, of records of one length, of whole files, of the names
//! themselves; and the forms of each that are references.
//!
//! Nodes of one `container` and `shared_name` share a reader, and agree in its format; without a name a node has a
//! reader of its own.

use oplink::NodeInfo;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::state::WholeFileReaderV2;
use oplink_ops::state::{
    FixedLengthRecordReader, FixedLengthRecordReaderV2, IdentityReader, IdentityReaderV2, LMDBReader,
};
use oplink_ops::state::{TFRecordReader, TFRecordReaderV2, TextLineReader, TextLineReaderV2, WholeFileReader};

use super::format::{Fixed, Format};
use super::resource::Reader;
use super::source::Compression;
use crate::named::{NodeResource, Unnamed, info};

/// The reader of a node.
#[derive(Debug)]
struct NodeReader {
    resource: NodeResource,
    format: Format,
}

impl NodeReader {
    fn new(node: &NodeInfo, container: &str, shared_name: &str, format: Format) -> Result<Self> {
        let info = info(node, container, shared_name, "reader", Unnamed::Private)?;
        Ok(Self { resource: NodeResource::new(info), format })
    }

    /// Sets an output to the handle of the reader, which is made where there is none yet.
    fn output(&self, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let reader = self.resource.output(output, env, |name| Ok(Reader::new(name, self.format.clone())))?;
        let there = reader.format();
        ensure!(*there == self.format, "the reader of this name reads {there:?}, not {:?}", self.format);
        Ok(())
    }
}

/// Kernels of ops that make a reader, `Kernel: Op, |attrs| format;` each.
macro_rules! readers {
    ($($name:ident: $op:ident, |$attrs:pat_param| $format:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(NodeReader);

        #[kernel($op, device = CPU)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let $attrs = attrs;
                NodeReader::new(node, attrs.container, attrs.shared_name, $format).map(Self)
            }

            fn compute(
                &self,
                _: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.reader_handle, env)
            }
        }
    )*};
}

readers! {
    TfRecordReaderCpu: TFRecordReaderV2, |attrs| records(attrs.compression_type)?;
    TfRecordReaderRefCpu: TFRecordReader, |attrs| records(attrs.compression_type)?;
    TextLineReaderCpu: TextLineReaderV2, |attrs| lines(attrs.skip_header_lines)?;
    TextLineReaderRefCpu: TextLineReader, |attrs| lines(attrs.skip_header_lines)?;
    FixedLengthRecordReaderCpu: FixedLengthRecordReaderV2, |a| {
        Format::Fixed(Fixed::new(a.header_bytes, a.record_bytes, a.footer_bytes, a.hop_bytes, a.encoding)?)
    };
    FixedLengthRecordReaderRefCpu: FixedLengthRecordReader, |a| {
        Format::Fixed(Fixed::new(a.header_bytes, a.record_bytes, a.footer_bytes, a.hop_bytes, "")?)
    };
    WholeFileReaderCpu: WholeFileReaderV2, |_| Format::WholeFile;
    WholeFileReaderRefCpu: WholeFileReader, |_| Format::WholeFile;
    LmdbReaderRefCpu: LMDBReader, |_| Err::<Format, _>(super::source::lmdb_is_removed())?;
    IdentityReaderCpu: IdentityReaderV2, |_| Format::Identity;
    IdentityReaderRefCpu: IdentityReader, |_| Format::Identity;
}

fn records(compression: &str) -> Result<Format> {
    Ok(Format::Records { compression: Compression::of_records(compression)? })
}

fn lines(skipped: i64) -> Result<Format> {
    match u64::try_from(skipped) {
        Ok(skipped) => Ok(Format::Lines { skipped }),
        Err(_) => bail!("skip_header_lines must not be negative, it is {skipped}"),
    }
}
