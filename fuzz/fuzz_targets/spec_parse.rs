//! Any text is parsed as an op or refused with errors that lie in it; what parses prints to a text of the same op.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oplink_spec::{OpSpec, parse_arg, parse_attr};

fuzz_target!(|text: &str| {
    match OpSpec::parse(text) {
        Ok(op) => {
            let printed = op.to_string();
            assert_eq!(OpSpec::parse(&printed).as_ref(), Ok(&op), "{printed}");
            assert!(op.check().is_empty(), "{printed}");
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(text.get(error.range.clone()).is_some(), "{error:?}");
                error.render(text);
            }
        }
    }
    if let Ok(attr) = parse_attr(text) {
        let printed = attr.to_string();
        assert_eq!(parse_attr(&printed), Ok(attr), "{printed}");
    }
    if let Ok(arg) = parse_arg(text, &[]) {
        let printed = arg.to_string();
        assert_eq!(parse_arg(&printed, &[]), Ok(arg), "{printed}");
    }
});
