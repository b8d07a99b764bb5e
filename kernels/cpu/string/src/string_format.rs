//! `StringFormat`: tensors as text in a template.
//!
//! Each `placeholder` in `template` stands for an input in turn: its elements in brackets, of each axis the first and
//! the last `summarize` ones, all where it is negative. There must be as many placeholders as inputs.

use super::strings::shown;
use super::summarize::{self, Layout};
use oplink::prelude::*;
use oplink_ops::string::StringFormat;

/// `StringFormat` of every dtype.
#[kernel(StringFormat, device = CPU)]
pub fn string_format_cpu(inputs: &[Tensor], template: &[u8], placeholder: &[u8], summarize: i64) -> Result<TString> {
    let parts = split(template, placeholder);
    ensure!(
        parts.len() == inputs.len() + 1,
        "template {} has {} placeholders for {} inputs",
        shown(template),
        parts.len() - 1,
        inputs.len()
    );
    let mut text = parts[0].to_vec();
    for (input, part) in inputs.iter().zip(&parts[1..]) {
        text.extend(summarize::summarize(input, summarize, Layout::Array));
        text.extend_from_slice(part);
    }
    Ok(TString::new(text))
}

/// The parts between the placeholders; an empty one stands after every byte but the last.
fn split<'a>(template: &'a [u8], placeholder: &[u8]) -> Vec<&'a [u8]> {
    if placeholder.is_empty() {
        return if template.is_empty() { vec![template] } else { template.chunks(1).collect() };
    }
    let (mut parts, mut rest) = (Vec::new(), template);
    while let Some(at) = rest.windows(placeholder.len()).position(|window| window == placeholder) {
        parts.push(&rest[..at]);
        rest = &rest[at + placeholder.len()..];
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_with, run};

    #[test]
    fn tensors_take_the_place_of_placeholders() {
        let attrs = [("template", "a%sb%sc".into())];
        check_with("StringFormat", &attrs, [1.into(), [2.5f32, 1.0].into()], TString::from("a1b[2.5 1]c"));
        check_with("StringFormat", &[("template", "abc".into())], [], TString::from("abc"));
        let empty = Tensor::zeros(DType::Bool, [2, 0]).unwrap();
        check_with(
            "StringFormat",
            &[("template", "<{}>".into()), ("placeholder", "{}".into())],
            [empty],
            TString::from("<>"),
        );
        assert!(run("StringFormat", &attrs, vec![1.into()]).is_err());
    }
}
