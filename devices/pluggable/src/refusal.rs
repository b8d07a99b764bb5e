//! Why a plugin's device is refused: each reason with what to do.

use oplink_api::{Code, Error, ErrorKind, Result};

use crate::padded_struct::CStruct;

/// A refusal.
pub(crate) fn rejected(message: impl Into<String>) -> Error {
    Error::new(Code::FailedPrecondition, ErrorKind::PluginRejected, message)
}

/// A field that must be filled in.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) end: usize,
    pub(crate) is_set: bool,
}

/// The named callbacks of a struct, as fields that must be set.
macro_rules! callbacks {
    ($value:expr, $struct:ty: $($name:ident)*) => {
        [$($crate::refusal::Field {
            name: stringify!($name),
            end: std::mem::offset_of!($struct, $name) + size_of::<usize>(),
            is_set: $value.$name.is_some(),
        }),*]
    };
}
pub(crate) use callbacks;

/// Whether a struct that a plugin filled in is as long as it must be, and has all of `fields`.
///
/// # Errors
/// It does not say its size; it ends before one of the fields; fields are missing, all of which are named.
pub(crate) fn check<T: CStruct>(value: &T, fields: &[Field]) -> Result<()> {
    let (name, size) = (T::NAME, value.size());
    if size == 0 {
        return Err(rejected(format!("its {name} does not tell its size: set `struct_size`")));
    }
    if let Some(field) = fields.iter().find(|field| field.end > size) {
        let message = format!(
            "its {name} has {size} bytes and ends before `{}`, which this host needs: build it with the header of TensorFlow 2.21",
            field.name
        );
        return Err(rejected(message));
    }
    let missing: Vec<String> =
        fields.iter().filter(|field| !field.is_set).map(|field| format!("`{}`", field.name)).collect();
    match missing.as_slice() {
        [] => Ok(()),
        [one] => Err(rejected(format!("its {name} lacks {one}, which is required"))),
        several => Err(rejected(format!("its {name} lacks {}, which are required", several.join(", ")))),
    }
}

/// Whether `text` names a platform or device type: capital letters and underscores, a letter first.
pub(crate) fn check_name(what: &str, text: &str) -> Result<()> {
    let is_letter = |c: char| c.is_ascii_uppercase();
    let fits = text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c == '_');
    if fits {
        return Ok(());
    }
    Err(rejected(format!(
        "its platform's {what} is {text:?}: it must consist of capital letters and underscores, a letter first"
    )))
}
