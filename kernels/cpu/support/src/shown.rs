//! Bytes in the text of errors.

/// Bytes as text, in quotes.
pub fn shown(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}
