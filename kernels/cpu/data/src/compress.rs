//! Tensors in a variant, compressed.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use oplink::KernelEnv;
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink_ops::data::{CompressElement, UncompressElement};

/// Bytes that are compressed between two looks at the step.
const BLOCK: usize = 1 << 20;

/// Tensors of an element.
pub struct Compressed(Vec<Part>);

enum Part {
    /// The bytes of numbers, compressed.
    Numbers { dtype: DType, shape: Shape, bytes: Vec<u8> },
    /// Others, as they are.
    Kept(Tensor),
}

impl VariantObject for Compressed {
    fn type_name(&self) -> &'static str {
        "tensorflow.data.CompressedElement"
    }
}

impl<'a> InputParam<'a> for &'a Compressed {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        let [variant] = input.as_slice::<Variant>()? else {
            bail!("it must be a scalar that holds a compressed element, it has shape {}", input.shape())
        };
        let name = variant.type_name();
        let error = || Error::invalid_argument(format!("it holds `{name}`, not what CompressElement makes"));
        variant.get().ok_or_else(error)
    }
}

/// An error of a codec, which works in memory.
fn failed(error: std::io::Error) -> Error {
    Error::io("the compressed element", error)
}

impl Part {
    fn new(tensor: &Tensor, env: Env<'_>) -> Result<Self> {
        if tensor.dtype().size().is_none() || tensor.dtype() == DType::Bool {
            return Ok(Self::Kept(tensor.clone()));
        }
        let plain = tensor.as_bytes()?;
        // What cannot be compressed becomes a little longer.
        let room = oplink::memory::try_vec(plain.len() + plain.len() / 10 + 128)?;
        let mut encoder = ZlibEncoder::new(room, Compression::fast());
        for block in env.watch(plain.chunks(BLOCK)) {
            encoder.write_all(block).map_err(failed)?;
        }
        let mut bytes = encoder.finish().map_err(failed)?;
        bytes.shrink_to_fit();
        Ok(Self::Numbers { dtype: tensor.dtype(), shape: tensor.shape().clone(), bytes })
    }

    fn dtype(&self) -> DType {
        match self {
            Self::Numbers { dtype, .. } => *dtype,
            Self::Kept(tensor) => tensor.dtype(),
        }
    }

    fn tensor(&self, env: Env<'_>) -> Result<Tensor> {
        match self {
            Self::Kept(tensor) => Ok(tensor.clone()),
            Self::Numbers { dtype, shape, bytes } => {
                let mut tensor = Tensor::allocate(*dtype, shape.clone(), env.allocator())?;
                let mut decoder = ZlibDecoder::new(&bytes[..]);
                for block in env.watch(tensor.as_mut_bytes()?.chunks_mut(BLOCK)) {
                    decoder.read_exact(block).map_err(failed)?;
                }
                Ok(tensor)
            }
        }
    }
}

/// `CompressElement`.
#[kernel(CompressElement, device = CPU)]
pub fn compress_element_cpu(components: &[Tensor], env: Env<'_>) -> Result<Tensor> {
    let parts = components.iter().map(|tensor| Part::new(tensor, env)).collect::<Result<_>>()?;
    Ok(Tensor::scalar(Variant::new(Compressed(parts))))
}

/// `UncompressElement`.
#[kernel(UncompressElement, device = CPU)]
pub fn uncompress_element_cpu(compressed: &Compressed, output_types: &[DType], env: Env<'_>) -> Result<Vec<Tensor>> {
    let other = |message: String| Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message);
    let (has, wanted) = (compressed.0.len(), output_types.len());
    if has != wanted {
        return Err(other(format!("the compressed element has {has} components, output_types {wanted} dtypes")));
    }
    let tensor = |(number, (part, &wanted)): (usize, (&Part, &DType))| match part.dtype() {
        has if has == wanted => part.tensor(env),
        has => Err(other(format!("component {number} of the compressed element is {has}, output_types says {wanted}"))),
    };
    compressed.0.iter().zip(output_types).enumerate().map(tensor).collect()
}
