//! The depth of nesting, found without recursion and before anything recursive sees the text.

/// The byte of the first brace that opens a message deeper than `limit`.
///
/// Braces in strings and comments do not count. A text whose strings or braces do not match gives some answer; the
/// parser rejects it.
pub(super) fn first_too_deep(text: &str, limit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = string_end(bytes, at),
            b'#' => at = line_end(bytes, at),
            b'{' | b'<' if depth == limit => return Some(at),
            b'{' | b'<' => depth += 1,
            b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The byte of the closing quote, or the text's end.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// The byte of the newline, or the text's end.
fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    start + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::first_too_deep;

    #[test]
    fn braces_in_strings_and_comments_do_not_count() {
        for flat in [r#"a: "{{{" b {}"#, r#"a: "\"{{" b {}"#, "# {{{\nb {}", "a: '\"{{'", "a {} b <> c {}", "a: \"\\"] {
            assert_eq!(first_too_deep(flat, 1), None, "{flat}");
        }
    }

    #[test]
    fn the_first_brace_too_deep_is_found() {
        assert_eq!(first_too_deep("a { b < c {} > }", 2), Some(10));
        assert_eq!(first_too_deep("a { b < c {} > }", 3), None);
    }
}
