//! The fields that an op works on, out of the description of their message.

use oplink::prelude::*;
use oplink_proto::prost_reflect::{
    Cardinality, DescriptorPool, ExtensionDescriptor, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use super::wire::WireType;

/// What stands before an encoded description.
const BYTES: &[u8] = b"bytes://";
/// What stands for the messages of TensorFlow.
const LOCAL: &[u8] = b"local://";

/// How values are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Bool,
    Enum,
    Bytes,
    Group,
}

impl Encoding {
    fn new(kind: &Kind, is_group: bool) -> Self {
        match kind {
            Kind::Double => Self::Double,
            Kind::Float => Self::Float,
            Kind::Int32 => Self::Int32,
            Kind::Int64 => Self::Int64,
            Kind::Uint32 => Self::Uint32,
            Kind::Uint64 => Self::Uint64,
            Kind::Sint32 => Self::Sint32,
            Kind::Sint64 => Self::Sint64,
            Kind::Fixed32 => Self::Fixed32,
            Kind::Fixed64 => Self::Fixed64,
            Kind::Sfixed32 => Self::Sfixed32,
            Kind::Sfixed64 => Self::Sfixed64,
            Kind::Bool => Self::Bool,
            Kind::Enum(_) => Self::Enum,
            Kind::Message(_) if is_group => Self::Group,
            Kind::String | Kind::Bytes | Kind::Message(_) => Self::Bytes,
        }
    }

    /// The dtypes of tensors of such values.
    fn dtypes(self) -> &'static [DType] {
        match self {
            Self::Double => &[DType::Double],
            Self::Float => &[DType::Float, DType::Double],
            Self::Int32 | Self::Sint32 | Self::Sfixed32 => &[DType::Int32, DType::Int64],
            Self::Int64 | Self::Sint64 | Self::Sfixed64 => &[DType::Int64],
            Self::Uint32 | Self::Fixed32 => &[DType::UInt32, DType::UInt64],
            Self::Uint64 | Self::Fixed64 => &[DType::UInt64],
            Self::Bool => &[DType::Bool],
            Self::Enum => &[DType::Int32],
            Self::Bytes | Self::Group => &[DType::String],
        }
    }

    /// How a value by itself is encoded.
    pub(super) fn wire_type(self) -> WireType {
        match self {
            Self::Double | Self::Fixed64 | Self::Sfixed64 => WireType::Fixed64,
            Self::Float | Self::Fixed32 | Self::Sfixed32 => WireType::Fixed32,
            Self::Bytes => WireType::Delimited,
            Self::Group => WireType::StartGroup,
            _ => WireType::Varint,
        }
    }
}

/// A field.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) number: u32,
    pub(super) encoding: Encoding,
    pub(super) is_repeated: bool,
    /// Whether it is declared as packed, by this word.
    pub(super) is_packed: bool,
    /// What stands for a value that is not there; none where nothing does.
    pub(super) default: Value,
}

impl Field {
    fn of_field(field: &FieldDescriptor) -> Self {
        let is_repeated = field.cardinality() == Cardinality::Repeated;
        let options = &field.field_descriptor_proto().options;
        Self {
            name: field.name().to_owned(),
            number: field.number(),
            encoding: Encoding::new(&field.kind(), field.is_group()),
            is_repeated,
            is_packed: options.as_ref().is_some_and(oplink_proto::prost_reflect::prost_types::FieldOptions::packed),
            default: if is_repeated { field.kind().default_value() } else { field.default_value() },
        }
    }

    fn of_extension(field: &ExtensionDescriptor) -> Self {
        let is_repeated = field.cardinality() == Cardinality::Repeated;
        Self {
            name: field.full_name().to_owned(),
            number: field.number(),
            encoding: Encoding::new(&field.kind(), field.is_group()),
            is_repeated,
            is_packed: field.is_packed(),
            default: if is_repeated { field.kind().default_value() } else { field.default_value() },
        }
    }

    /// An error unless a tensor of this dtype has the field's values.
    pub(super) fn check(&self, dtype: DType) -> Result<()> {
        let (fitting, name) = (self.encoding.dtypes(), &self.name);
        ensure!(fitting.contains(&dtype), "values of the field `{name}` are of {fitting:?}, they cannot be {dtype}");
        Ok(())
    }
}

/// The message of this name, described where `source` says.
pub(super) fn message(source: &[u8], name: &str) -> Result<MessageDescriptor> {
    let found = if source == LOCAL {
        oplink_proto::descriptor_pool().get_message_by_name(name)
    } else {
        pool(source)?.get_message_by_name(name)
    };
    found.ok_or_else(|| Error::invalid_argument(format!("descriptor_source describes no message `{name}`")))
}

fn pool(source: &[u8]) -> Result<DescriptorPool> {
    let described = match source.strip_prefix(BYTES) {
        Some(bytes) => DescriptorPool::decode(bytes),
        None => {
            let file = std::str::from_utf8(source).ok().and_then(|name| std::fs::read(name).ok());
            let Some(file) = file else {
                bail!("descriptor_source must be `local://`, begin with `bytes://` or name a file that can be read")
            };
            DescriptorPool::decode(file.as_slice())
        }
    };
    described.map_err(|error| Error::invalid_argument(format!("descriptor_source is no FileDescriptorSet: {error}")))
}

/// The fields of these names; `extended` allows those of extensions.
pub(super) fn fields(message: &MessageDescriptor, names: &[Vec<u8>], extended: bool) -> Result<Vec<Field>> {
    let field = |name: &Vec<u8>| {
        let text = std::str::from_utf8(name).unwrap_or_default();
        let own = message.get_field_by_name(text).map(|field| Field::of_field(&field));
        let extension = || {
            let found = message.extensions().find(|extension| extended && extension.full_name() == text)?;
            Some(Field::of_extension(&found))
        };
        own.or_else(extension).ok_or_else(|| {
            let (name, message) = (name.escape_ascii(), message.full_name());
            Error::invalid_argument(format!("the message `{message}` has no field `{name}`"))
        })
    };
    names.iter().map(field).collect()
}
