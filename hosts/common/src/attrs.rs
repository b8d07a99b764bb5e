//! Attr values as text: those of a declaration's defaults, in the op language.

use oplink_api::resolve::attr_from_spec;
use oplink_api::spec::{AttrSpec, parse_attr};
use oplink_api::{AttrValue, Error, Result};

/// The value of an attr, written as its default would be: `1.5`, `'text'`, `[1, 2]`, `float`.
///
/// # Errors
/// The text is no value of the attr's kind.
pub fn attr_of_text(attr: &AttrSpec, text: &str) -> Result<AttrValue> {
    let kind = attr.kind.scalar.name();
    let kind = if attr.kind.list { format!("list({kind})") } else { kind.to_owned() };
    let wrong = |why: &str| Error::invalid_argument(format!("attr `{}` is {kind}, not `{text}`: {why}", attr.name));
    let parsed = parse_attr(&format!("value: {kind} = {text}")).map_err(|diagnostic| wrong(&diagnostic.message))?;
    match &parsed.default {
        Some(value) => attr_from_spec(value, attr.kind),
        None => Err(wrong("there is no value")),
    }
}

#[cfg(test)]
mod tests {
    use oplink_api::DType;

    use super::*;

    fn value(kind: &str, text: &str) -> Result<AttrValue> {
        attr_of_text(&parse_attr(&format!("a: {kind}")).unwrap(), text)
    }

    #[test]
    fn values_are_read_as_defaults_are() {
        assert_eq!(value("float", "1.5").unwrap(), AttrValue::Float(1.5));
        assert_eq!(value("string", "'a\\'b'").unwrap(), AttrValue::String(b"a'b".to_vec()));
        assert_eq!(
            value("list(type)", "[float, DT_INT64]").unwrap(),
            AttrValue::Types(vec![DType::Float, DType::Int64])
        );
        assert_eq!(value("list(int)", "[]").unwrap(), AttrValue::Ints(Vec::new()));
        let error = value("int", "'x'").unwrap_err().to_string();
        assert!(error.contains("attr `a` is int"), "{error}");
    }
}
