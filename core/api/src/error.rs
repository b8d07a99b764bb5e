//! The error every layer reports through: a TensorFlow status code, a stable kind, a message, and
//! the context that each layer on the way up adds.

use std::fmt;
use std::sync::Arc;

/// Shorthand used by kernels, shape functions and the runtime.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Canonical status codes, numbered as TensorFlow's `TF_Code`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names are the canonical ones")]
pub enum Code {
    Cancelled = 1,
    Unknown = 2,
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    AlreadyExists = 6,
    PermissionDenied = 7,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Aborted = 10,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
    DataLoss = 15,
    Unauthenticated = 16,
}

impl Code {
    /// The code of a number; `Unknown` where the number names none.
    pub fn from_number(number: i32) -> Self {
        const CODES: [Code; 16] = [
            Code::Cancelled,
            Code::Unknown,
            Code::InvalidArgument,
            Code::DeadlineExceeded,
            Code::NotFound,
            Code::AlreadyExists,
            Code::PermissionDenied,
            Code::ResourceExhausted,
            Code::FailedPrecondition,
            Code::Aborted,
            Code::OutOfRange,
            Code::Unimplemented,
            Code::Internal,
            Code::Unavailable,
            Code::DataLoss,
            Code::Unauthenticated,
        ];
        CODES.into_iter().find(|code| *code as i32 == number).unwrap_or(Self::Unknown)
    }
}

/// What went wrong, stable across releases: match on this, not on messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value given by the caller is wrong: shape, dtype, attr or content.
    InvalidArgument,
    /// An op declaration does not parse or contradicts itself.
    Spec,
    /// The registry found conflicting or incomplete registrations while it was sealed.
    Registry,
    /// No op of that name is declared in this process.
    OpNotDeclared,
    /// The op is declared, but no kernel fits device, label and dtypes.
    NoMatchingKernel,
    /// The build's selection left the op or the kernel out.
    Excluded,
    /// The crate that declares the op or the kernel is not linked into this binary.
    NotLinked,
    /// A plugin was refused.
    PluginRejected,
    /// A graph is malformed.
    InvalidGraph,
    /// A shape function refused its inputs.
    ShapeInference,
    /// The value of an attr is asked for where nobody knows it: while shapes are inferred by a host that does not tell
    /// attrs.
    AttrUnknown,
    /// A kernel returned an error.
    KernelFailed,
    /// A kernel panicked; the process and the session stay usable.
    KernelPanicked,
    /// Memory or another resource could not be had.
    Resource,
    /// The system failed to read, write or find a file, or its content is damaged.
    Io,
    /// The host asked for the elements of a tensor that lies in a device's memory.
    DeviceMemory,
    /// A device failed at a piece of its work.
    Device,
    /// The step was cancelled, or did not end before its deadline.
    Cancelled,
    /// A feature this build does not have.
    Unimplemented,
    /// A broken invariant inside the runtime.
    Internal,
}

/// An error with its code, kind, message and context.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    code: Code,
    kind: ErrorKind,
    message: String,
    context: Vec<String>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error of any code and kind.
    #[cold]
    pub fn new(code: Code, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { code, kind, message: message.into(), context: Vec::new(), source: None }))
    }

    /// The caller gave a wrong value.
    #[cold]
    pub fn invalid_argument(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, ErrorKind::InvalidArgument, message)
    }

    /// Something named does not exist.
    #[cold]
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NotFound, ErrorKind::InvalidArgument, message)
    }

    /// An index or a value is outside its range.
    #[cold]
    pub fn out_of_range(message: impl Into<String>) -> Self {
        Self::new(Code::OutOfRange, ErrorKind::InvalidArgument, message)
    }

    /// The build or the runtime lacks the feature asked for.
    #[cold]
    pub fn unimplemented(message: impl Into<String>) -> Self {
        Self::new(Code::Unimplemented, ErrorKind::Unimplemented, message)
    }

    /// An invariant of the runtime does not hold.
    #[cold]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, ErrorKind::Internal, message)
    }

    /// Memory or another resource ran out.
    #[cold]
    pub fn resource_exhausted(message: impl Into<String>) -> Self {
        Self::new(Code::ResourceExhausted, ErrorKind::Resource, message)
    }

    /// The same error under another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same error with the one that caused it, which [`std::error::Error::source`] returns.
    #[must_use]
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// Adds one line of context: what the reporting layer knows (the node, the file, the step).
    #[must_use]
    pub fn context(mut self, line: impl Into<String>) -> Self {
        self.0.context.push(line.into());
        self
    }

    /// The status code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The stable kind.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The message without context.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Context lines, innermost first.
    pub fn context_lines(&self) -> &[String] {
        &self.0.context
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        self.0.context.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({:?}): {self}", self.0.code, self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl From<ndarray::ShapeError> for Error {
    fn from(error: ndarray::ShapeError) -> Self {
        Self::invalid_argument(error.to_string()).with_source(error)
    }
}

impl From<std::fmt::Error> for Error {
    fn from(error: std::fmt::Error) -> Self {
        Self::internal(error.to_string()).with_source(error)
    }
}

/// Adds context to the error of a result.
pub trait ResultExt<T> {
    /// Adds the line that `line` makes when there is an error.
    ///
    /// # Errors
    /// The result's own, with the line.
    fn context_with<S: Into<String>>(self, line: impl FnOnce() -> S) -> Result<T>;
}

impl<T> ResultExt<T> for Result<T> {
    fn context_with<S: Into<String>>(self, line: impl FnOnce() -> S) -> Result<T> {
        self.map_err(|error| error.context(line()))
    }
}

/// Returns early with an `InvalidArgument` error built as by `format!`.
#[macro_export]
macro_rules! bail {
    ($($arg:tt)*) => {
        return ::core::result::Result::Err($crate::Error::invalid_argument(::std::format!($($arg)*)))
    };
}

/// Returns early with an `InvalidArgument` error unless the condition holds.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($arg:tt)*) => {
        if !$condition {
            $crate::bail!($($arg)*)
        }
    };
}

/// What a panic says of itself; `no message` where it says nothing.
pub fn panic_message(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
