//! Patterns of file names, as shells have them.

use std::fs;
use std::io::ErrorKind;

use oplink::prelude::*;

use super::paths::path;

/// Names of the files that a pattern matches, in order. One without special characters matches the file of that name.
///
/// # Errors
/// A folder cannot be listed.
pub fn matching_paths(pattern: &[u8]) -> Result<Vec<Vec<u8>>> {
    let Some(special) = pattern.iter().position(|byte| b"*?[\\".contains(byte)) else {
        let exists = !pattern.is_empty() && path(pattern.strip_suffix(b"/").unwrap_or(pattern))?.exists();
        return Ok(if exists { vec![pattern.to_vec()] } else { Vec::new() });
    };
    // What comes before the first component with a special character is a folder.
    let slash = pattern[..special].iter().rposition(|&byte| byte == b'/');
    let (folder, rest) = match slash {
        None => (&b"."[..], pattern),
        Some(0) => (&b"/"[..], &pattern[1..]),
        Some(at) => (&pattern[..at], &pattern[at + 1..]),
    };
    let mut found = vec![folder.to_vec()];
    for component in rest.strip_suffix(b"/").unwrap_or(rest).split(|&byte| byte == b'/') {
        let mut deeper = Vec::new();
        for folder in found {
            matching_children(&folder, component, &mut deeper)?;
        }
        found = deeper;
    }
    found.sort();
    Ok(found)
}

/// Appends the paths of the children of a folder whose names match. What is no folder has none.
fn matching_children(folder: &[u8], pattern: &[u8], found: &mut Vec<Vec<u8>>) -> Result<()> {
    let directory = path(folder)?;
    let error = |error| Error::io(format_args!("cannot list folder {}", directory.display()), error);
    let children = match fs::read_dir(&directory) {
        Ok(children) => children,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied) => {
            return Ok(());
        }
        Err(e) => return Err(error(e)),
    };
    for child in children {
        let name = child.map_err(error)?.file_name();
        let name = name.as_encoded_bytes();
        if matches_name(pattern, name) {
            let slash = if folder.ends_with(b"/") { &b""[..] } else { b"/" };
            found.push([folder, slash, name].concat());
        }
    }
    Ok(())
}

/// Whether a component of a pattern matches a name. A star that fails is tried again on one more character.
fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    loop {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
            continue;
        }
        match (n < name.len()).then(|| match_one(&pattern[p..], name[n])).flatten() {
            Some(used) => (p, n) = (p + used, n + 1),
            None if n == name.len() && p == pattern.len() => return true,
            None => match star.filter(|&(_, from)| from < name.len()) {
                None => return false,
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
            },
        }
    }
}

/// The length of the pattern's first item where it matches the character.
fn match_one(pattern: &[u8], character: u8) -> Option<usize> {
    match *pattern {
        [] => None,
        [b'?', ..] => Some(1),
        [b'[', ref rest @ ..] => {
            let (matches, length) = match_set(rest, character)?;
            matches.then_some(length + 1)
        }
        [b'\\', escaped, ..] => (escaped == character).then_some(2),
        [literal, ..] => (literal == character).then_some(1),
    }
}

/// Whether a set, given from after its bracket, holds the character; and its length with the closing bracket. `None`
/// where it has no end.
fn match_set(set: &[u8], character: u8) -> Option<(bool, usize)> {
    let negated = matches!(set.first(), Some(b'!' | b'^'));
    let start = usize::from(negated);
    let (mut at, mut holds) = (start, false);
    loop {
        let (first, next) = set_member(set, at)?;
        if first == b']' && at > start && set[at] == b']' {
            return Some((holds != negated, at + 1));
        }
        if let Some((class, length)) = set_class(&set[at..]) {
            holds |= class(&character);
            at += length;
            continue;
        }
        at = next;
        let range = set.get(next) == Some(&b'-') && set.get(next + 1).is_some_and(|&end| end != b']');
        let last = if range {
            let (last, after) = set_member(set, next + 1)?;
            at = after;
            last
        } else {
            first
        };
        holds |= (first..=last).contains(&character);
    }
}

/// The character at a position of a set, and the position after it.
fn set_member(set: &[u8], at: usize) -> Option<(u8, usize)> {
    match set.get(at)? {
        b'\\' => Some((*set.get(at + 1)?, at + 2)),
        &character => Some((character, at + 1)),
    }
}

/// Whether a character is of a class.
type Class = fn(&u8) -> bool;

/// The class of characters that a set's item such as `[:alpha:]` names, and the item's length.
fn set_class(item: &[u8]) -> Option<(Class, usize)> {
    const CLASSES: [(&[u8], Class); 12] = [
        (b"alpha", u8::is_ascii_alphabetic),
        (b"digit", u8::is_ascii_digit),
        (b"alnum", u8::is_ascii_alphanumeric),
        (b"upper", u8::is_ascii_uppercase),
        (b"lower", u8::is_ascii_lowercase),
        (b"punct", u8::is_ascii_punctuation),
        (b"xdigit", u8::is_ascii_hexdigit),
        (b"cntrl", u8::is_ascii_control),
        (b"graph", u8::is_ascii_graphic),
        (b"print", |byte| (b' '..=b'~').contains(byte)),
        (b"blank", |byte| matches!(byte, b' ' | b'\t')),
        (b"space", |byte| matches!(byte, b' ' | b'\t'..=b'\r')),
    ];
    let rest = item.strip_prefix(b"[:")?;
    let (name, class) =
        CLASSES.iter().find(|(name, _)| rest.strip_prefix(*name).is_some_and(|r| r.starts_with(b":]")))?;
    Some((*class, name.len() + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let cases: [(&str, &[&str], &[&str]); 17] = [
            ("a*c", &["ac", "abc", "aabcc", "acc"], &["ab", "bac", ""]),
            ("*", &["", "a", ".hidden"], &[]),
            ("**", &["", "a"], &[]),
            ("?.txt", &["a.txt"], &["ab.txt", ".txt"]),
            ("[ab]", &["a", "b"], &["c", "ab", "[", ""]),
            ("[!ab]", &["c"], &["a", ""]),
            ("[^ab]", &["c"], &["b"]),
            ("[a-c]x", &["ax", "cx"], &["dx"]),
            ("[c-a]", &[], &["a", "b", "c"]),
            ("[]a]", &["]", "a"], &["b"]),
            ("[!]a]", &["b"], &["]", "a"]),
            ("[a-]", &["a", "-"], &["b"]),
            ("[[:digit:]x]", &["7", "x"], &["y", ":"]),
            (r"\*", &["*"], &["a", r"\*"]),
            (r"[\]]", &["]"], &[r"\"]),
            ("[a", &[], &["a", "[a"]),
            ("*a*b*", &["ab", "xaxbx", "aab"], &["ba", "a"]),
        ];
        for (pattern, matching, others) in cases {
            for name in matching {
                assert!(matches_name(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
            }
            for name in others {
                assert!(!matches_name(pattern.as_bytes(), name.as_bytes()), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        assert!(!matches_name("a*".repeat(60).as_bytes(), "a".repeat(59).as_bytes()));
    }
}
