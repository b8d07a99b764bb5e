//! The paths that a Rust file names, read from its tokens: `use` trees and paths in code.

/// The paths of a file.
#[derive(Debug, Default)]
pub(super) struct Paths {
    /// Imports: each name with the path it stands for; a glob import has the name `*`.
    pub(super) imports: Vec<(String, Vec<String>)>,
    /// Paths of at least two segments that stand in code.
    pub(super) inline: Vec<Vec<String>>,
    /// Modules that exist in tests only.
    pub(super) test_modules: Vec<String>,
    /// Names of the items that the file defines.
    pub(super) items: Vec<String>,
    /// Names of the macros that the file defines; exported ones are named from the crate's root.
    pub(super) macros: Vec<String>,
}

/// Reads a file, its tests left out.
pub(super) fn read(text: &str) -> Paths {
    let mut reader = Reader { tokens: tokens(text), at: 0, paths: Paths::default() };
    reader.file();
    reader.paths
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
    paths: Paths,
}

impl Reader {
    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    fn file(&mut self) {
        while self.at < self.tokens.len() {
            if self.is_test_attribute() {
                self.skip_test_item();
            } else if self.peek(0) == "use" && self.peek(1) != "<" {
                self.at += 1;
                self.tree(&[]);
            } else if self.peek(0) == "macro_rules" && self.peek(1) == "!" {
                let name = self.peek(2).to_owned();
                self.paths.macros.push(name);
                self.at += 1;
            } else if is_item_keyword(self.peek(0)) {
                let name = self.peek(1).to_owned();
                self.paths.items.push(name);
                self.at += 1;
            } else if is_name(self.peek(0)) && self.peek(1) == "::" {
                let is_macro_path = self.at > 0 && self.tokens[self.at - 1] == "$";
                let path = self.path();
                if !is_macro_path {
                    self.paths.inline.push(path);
                }
            } else {
                self.at += 1;
            }
        }
    }

    /// Whether `#[cfg(test)]` or a form of it stands here.
    fn is_test_attribute(&self) -> bool {
        let attribute = ["#", "[", "cfg", "("].iter().enumerate().all(|(ahead, token)| self.peek(ahead) == *token);
        attribute && self.peek(4) == "test"
    }

    /// Skips an item that exists in tests only, up to its end.
    fn skip_test_item(&mut self) {
        let mut depth = 0usize;
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "mod" if depth == 0 && self.peek(2) == ";" => self.paths.test_modules.push(self.peek(1).to_owned()),
                _ => {}
            }
            let ends = depth == 0 && matches!(self.peek(0), ";" | "}");
            self.at += 1;
            if ends {
                return;
            }
        }
    }

    fn path(&mut self) -> Vec<String> {
        let mut path = vec![self.peek(0).to_owned()];
        self.at += 1;
        while self.peek(0) == "::" && is_name(self.peek(1)) {
            path.push(self.peek(1).to_owned());
            self.at += 2;
        }
        path
    }

    /// A tree of imports under a prefix, up to what ends it.
    fn tree(&mut self, prefix: &[String]) {
        let mut path = prefix.to_vec();
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "{" => {
                    self.at += 1;
                    while !matches!(self.peek(0), "}" | ";" | "") {
                        self.tree(&path);
                        self.at += usize::from(self.peek(0) == ",");
                    }
                    self.at += 1;
                    return;
                }
                ";" | "," | "}" => break,
                "as" => {
                    let name = self.peek(1).to_owned();
                    self.at += 2;
                    self.paths.imports.push((name, path));
                    return;
                }
                "*" => {
                    self.at += 1;
                    self.paths.imports.push(("*".to_owned(), path));
                    return;
                }
                "self" if !path.is_empty() => self.at += 1,
                token => {
                    if is_name(token) {
                        path.push(token.to_owned());
                    }
                    self.at += 1;
                }
            }
        }
        if let Some(name) = path.last().cloned() {
            self.paths.imports.push((name, path));
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_item_keyword(token: &str) -> bool {
    matches!(token, "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static")
}

/// Names, `::` and single signs; no comments and no literals.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let (c, next) = (chars[at], chars.get(at + 1).copied().unwrap_or(' '));
        let start = at;
        at = match c {
            '/' if next == '/' => skip_until(&chars, at, |rest| rest[0] == '\n'),
            '/' if next == '*' => skip_until(&chars, at + 2, |rest| rest.starts_with(&['*', '/'])) + 2,
            '"' => end_of_string(&chars, at + 1),
            'r' if next == '"' || next == '#' && matches!(chars.get(at + 2), Some('"' | '#')) => raw_string(&chars, at),
            '\'' => end_of_quote(&chars, at),
            ':' if next == ':' => {
                tokens.push("::".to_owned());
                at + 2
            }
            _ if c.is_alphanumeric() || c == '_' => {
                let end = skip_until(&chars, at, |rest| !(rest[0].is_alphanumeric() || rest[0] == '_'));
                tokens.push(chars[start..end].iter().collect());
                end
            }
            _ => {
                if !c.is_whitespace() {
                    tokens.push(c.to_string());
                }
                at + 1
            }
        };
    }
    tokens
}

fn skip_until(chars: &[char], from: usize, ends: impl Fn(&[char]) -> bool) -> usize {
    (from..chars.len()).find(|&at| ends(&chars[at..])).unwrap_or(chars.len())
}

fn end_of_string(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn raw_string(chars: &[char], at: usize) -> usize {
    let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    skip_until(chars, at + 2 + hashes, |rest| rest.starts_with(&end)) + end.len()
}

/// The end of a character literal, or of the quote of a lifetime.
fn end_of_quote(chars: &[char], at: usize) -> usize {
    match (chars.get(at + 1), chars.get(at + 2)) {
        (Some('\\'), _) => skip_until(chars, at + 3, |rest| rest[0] == '\'') + 1,
        (Some(_), Some('\'')) => at + 3,
        _ => at + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn imports_and_paths_are_read() {
        let paths = read(
            "//! use crate::no;\nuse crate::{a::{self, B as C}, d::*};\nfn f<'a>() { crate::g::h('\"', \"crate::i::j\"); }\n\
             #[cfg(test)]\nmod tests { use crate::k::L; }",
        );
        let import =
            |name: &str, path: &str| (name.to_owned(), path.split("::").map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(paths.imports, [import("a", "crate::a"), import("C", "crate::a::B"), import("*", "crate::d")]);
        assert_eq!(paths.inline, [["crate", "g", "h"]]);
        assert_eq!(paths.items, ["f"]);
    }
}
