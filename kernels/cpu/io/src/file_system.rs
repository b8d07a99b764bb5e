//! `FileSystemSetConfiguration`: options of a file system, of which none has any.

use super::paths::scalar;
use oplink::prelude::*;
use oplink_ops::io::FileSystemSetConfiguration;

/// `FileSystemSetConfiguration`.
#[kernel(FileSystemSetConfiguration, device = CPU)]
pub fn file_system_set_configuration_cpu(scheme: &Tensor, key: &Tensor, value: &Tensor) -> Result<()> {
    let (scheme, key) = (scalar(scheme, "scheme")?, scalar(key, "key")?);
    scalar(value, "value")?;
    Err(Error::unimplemented(format!("the option {key:?} cannot be set: the file system {scheme:?} has no options")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn no_option_can_be_set() {
        let code = |inputs: [Tensor; 3]| run("FileSystemSetConfiguration", &[], inputs.to_vec()).unwrap_err().code();
        assert_eq!(code(["file".into(), "a".into(), "b".into()]), Code::Unimplemented);
        let vector: Tensor = [TString::new("a")].into();
        assert_eq!(code(["file".into(), "a".into(), vector]), Code::InvalidArgument);
    }
}
