//! Errors of the file system and of sockets, under the status codes that TensorFlow gives them.

use std::io;

use crate::{Code, Error, ErrorKind};

impl Code {
    /// The code of an error of the system, as TensorFlow's `IOError` has it; `Unknown` where it has none.
    pub fn of_io_error(error: &io::Error) -> Self {
        use io::ErrorKind as K;
        match error.kind() {
            K::NotFound => Self::NotFound,
            K::AlreadyExists | K::AddrNotAvailable => Self::AlreadyExists,
            K::PermissionDenied | K::ReadOnlyFilesystem => Self::PermissionDenied,
            K::InvalidInput | K::InvalidFilename | K::ArgumentListTooLong | K::NotSeekable => Self::InvalidArgument,
            K::TimedOut => Self::DeadlineExceeded,
            K::DirectoryNotEmpty | K::IsADirectory | K::NotADirectory | K::AddrInUse | K::ResourceBusy => {
                Self::FailedPrecondition
            }
            K::NotConnected | K::BrokenPipe | K::ExecutableFileBusy => Self::FailedPrecondition,
            K::StorageFull | K::QuotaExceeded | K::OutOfMemory | K::TooManyLinks => Self::ResourceExhausted,
            K::FileTooLarge => Self::OutOfRange,
            K::Unsupported | K::CrossesDevices => Self::Unimplemented,
            K::WouldBlock | K::Interrupted | K::ConnectionRefused | K::ConnectionAborted | K::ConnectionReset => {
                Self::Unavailable
            }
            K::HostUnreachable | K::NetworkDown | K::NetworkUnreachable => Self::Unavailable,
            K::Deadlock | K::StaleNetworkFileHandle => Self::Aborted,
            K::UnexpectedEof => Self::DataLoss,
            _ if is_too_many_files(error) => Self::ResourceExhausted,
            _ => Self::Unknown,
        }
    }
}

/// Whether the process or the system has no file descriptor left, for which the standard library has no kind.
#[cfg(unix)]
fn is_too_many_files(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE))
}

#[cfg(not(unix))]
fn is_too_many_files(_: &io::Error) -> bool {
    false
}

impl Error {
    /// An error of the system; `doing` says what failed, and for which file: `cannot read model.pb`.
    #[cold]
    pub fn io(doing: impl std::fmt::Display, error: io::Error) -> Self {
        Self::new(Code::of_io_error(&error), ErrorKind::Io, format!("{doing}: {error}")).with_source(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(Code::of_io_error(&error), ErrorKind::Io, error.to_string()).with_source(error)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn io_errors_have_the_codes_of_tensorflow() {
        let cases = [
            (io::ErrorKind::NotFound, Code::NotFound),
            (io::ErrorKind::PermissionDenied, Code::PermissionDenied),
            (io::ErrorKind::ReadOnlyFilesystem, Code::PermissionDenied),
            (io::ErrorKind::DirectoryNotEmpty, Code::FailedPrecondition),
            (io::ErrorKind::StorageFull, Code::ResourceExhausted),
            (io::ErrorKind::FileTooLarge, Code::OutOfRange),
            (io::ErrorKind::CrossesDevices, Code::Unimplemented),
            (io::ErrorKind::Interrupted, Code::Unavailable),
            (io::ErrorKind::Other, Code::Unknown),
        ];
        for (kind, code) in cases {
            let error = Error::from(io::Error::from(kind));
            assert_eq!((error.code(), error.kind()), (code, ErrorKind::Io), "{kind:?}");
        }
    }

    #[test]
    fn io_errors_keep_their_source() {
        let error = Error::io("cannot read a.pb", io::ErrorKind::NotFound.into()).context("importing a.pb");
        let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::NotFound));
        assert!(error.clone().source().is_some());
        assert!(Error::internal("no cause").source().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn no_file_descriptor_left_is_a_resource_that_ran_out() {
        let error = Error::from(io::Error::from_raw_os_error(libc::EMFILE));
        assert_eq!(error.code(), Code::ResourceExhausted);
    }
}
