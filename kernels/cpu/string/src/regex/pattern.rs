//! Patterns of RE2's syntax in the syntax of the crate `regex`.
//!
//! Both differ in details: RE2's `\d`, `\w`, `\s` and `\b` are those of ASCII; `{` that starts no repetition is a
//! character; `\Q…\E` quotes; `\C` is a byte; classes neither nest nor have set operations; there are no other flags
//! than `imsU`, no other names than `(?P<name>…)`, no repetition of a repetition and none beyond 1,000. Every escape
//! and every group is checked here, so that what RE2 refuses is refused; names of Unicode's properties are left to the
//! crate, which knows more of them.

use std::fmt::Write as _;

use super::class;

/// Most repetitions, also where repetitions are nested.
const MAX_REPEAT: u32 = 1000;

/// What is wrong with a pattern.
pub(super) type Problem = String;

/// The pattern in the crate's syntax.
pub(super) fn translate(pattern: &str) -> Result<String, Problem> {
    let mut translator = Translator { rest: pattern, out: String::new(), groups: vec![Group::default()] };
    while let Some(c) = translator.rest.chars().next() {
        translator.item(c)?;
    }
    if translator.groups.len() > 1 { Err("missing )".to_owned()) } else { Ok(translator.out) }
}

/// What a repetition would apply to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    /// Nothing: the start of a group or of an alternative.
    #[default]
    Nothing,
    /// An item that repeats what it has inside so many times.
    Item(u32),
    /// A repetition.
    Repetition(u32),
}

#[derive(Default)]
struct Group {
    last: Last,
    /// Most nested repetitions of the items so far.
    repeats: u32,
}

struct Translator<'a> {
    rest: &'a str,
    out: String,
    groups: Vec<Group>,
}

impl<'a> Translator<'a> {
    fn item(&mut self, c: char) -> Result<(), Problem> {
        match c {
            '(' => return self.open(),
            ')' => return self.close(),
            '|' => {
                self.skip(1);
                self.out.push('|');
                self.group().last = Last::Nothing;
                return Ok(());
            }
            '*' | '+' | '?' => {
                self.skip(1);
                self.out.push(c);
                return self.repeat(1, &c.to_string());
            }
            '{' => {
                if let Some(counts) = counts(self.rest) {
                    return self.counted(counts);
                }
                self.literal(c);
            }
            '[' => {
                let (class, rest) = class::translate(self.rest)?;
                self.out.push_str(&class);
                self.rest = rest;
            }
            '\\' => self.escape()?,
            '.' | '^' | '$' => {
                self.skip(1);
                self.out.push(c);
            }
            _ => self.literal(c),
        }
        self.finish(Last::Item(1));
        Ok(())
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn group(&mut self) -> &mut Group {
        if self.groups.is_empty() {
            self.groups.push(Group::default());
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    fn finish(&mut self, last: Last) {
        let group = self.group();
        if let Last::Item(repeats) | Last::Repetition(repeats) = last {
            group.repeats = group.repeats.max(repeats);
        }
        group.last = last;
    }

    fn literal(&mut self, c: char) {
        self.skip(c.len_utf8());
        push_literal(&mut self.out, c);
    }

    /// A repetition whose operator is written, but for a `?` that makes it lazy.
    fn repeat(&mut self, most: u32, operator: &str) -> Result<(), Problem> {
        let inner = match self.group().last {
            Last::Nothing => return Err(format!("no argument for repetition operator: {operator}")),
            Last::Repetition(_) => return Err(format!("bad repetition operator: {operator}")),
            Last::Item(inner) => inner,
        };
        if self.rest.starts_with('?') {
            self.skip(1);
            self.out.push('?');
        }
        let repeats = inner.saturating_mul(most.max(1));
        if repeats > MAX_REPEAT {
            return Err(format!("invalid repetition size: {operator}"));
        }
        self.finish(Last::Repetition(repeats));
        Ok(())
    }

    fn counted(&mut self, counts: Counts) -> Result<(), Problem> {
        let operator = &self.rest[..counts.length];
        let (min, max) = (counts.min, counts.max.unwrap_or(counts.min));
        if min > MAX_REPEAT || max > MAX_REPEAT || max < min {
            return Err(format!("invalid repetition size: {operator}"));
        }
        self.skip(counts.length);
        self.out.push_str(operator);
        // bounded: a part of the pattern
        self.repeat(max, operator)
    }

    fn open(&mut self) -> Result<(), Problem> {
        self.skip(1);
        if self.rest.starts_with('?') {
            return self.special_group();
        }
        self.enter("(");
        Ok(())
    }

    fn enter(&mut self, opening: &str) {
        self.out.push_str(opening);
        self.groups.push(Group::default());
    }

    fn close(&mut self) -> Result<(), Problem> {
        if self.groups.len() < 2 {
            return Err("unexpected )".to_owned());
        }
        self.skip(1);
        self.out.push(')');
        let repeats = self.groups.pop().map_or(1, |group| group.repeats.max(1));
        self.finish(Last::Item(repeats));
        Ok(())
    }

    /// `(?P<name>…)`, `(?flags)` or `(?flags:…)`, from the `?` on.
    fn special_group(&mut self) -> Result<(), Problem> {
        if let Some(named) = self.rest.strip_prefix("?P<") {
            return self.named_group(named);
        }
        let end = self.rest.find([':', ')']).ok_or("missing )")?;
        let flags = &self.rest[1..end];
        let (on, off) = flags.split_once('-').map_or((flags, None), |(on, off)| (on, Some(off)));
        let are_flags = |text: &str| text.chars().all(|c| "imsU".contains(c));
        if !are_flags(on) || off.is_some_and(|off| off.is_empty() || !are_flags(off)) {
            return Err(format!("invalid perl operator: ({}", &self.rest[..end]));
        }
        let is_group = self.rest[end..].starts_with(':');
        self.skip(end + 1);
        match (is_group, flags) {
            (true, _) => self.enter(&format!("(?{flags}:")),
            (false, "") => {}
            (false, _) => write!(self.out, "(?{flags})").map_err(|error| error.to_string())?,
        }
        Ok(())
    }

    fn named_group(&mut self, named: &'a str) -> Result<(), Problem> {
        let (name, rest) = named.split_once('>').ok_or("invalid named capture group")?;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("invalid named capture group: (?P<{name}>"));
        }
        self.rest = rest;
        self.enter("(");
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Problem> {
        let escaped = self.rest.chars().nth(1).ok_or("trailing \\")?;
        let translated = match escaped {
            'A' => r"\A",
            'z' => r"\z",
            'b' => r"(?-u:\b)",
            'B' => r"(?-u:\B)",
            'C' => "(?s-u:.)",
            'Q' => {
                self.quoted();
                return Ok(());
            }
            _ => {
                if let Some((group, rest)) = class::group(self.rest) {
                    write!(self.out, "[{group}]").map_err(|error| error.to_string())?;
                    self.rest = rest;
                    return Ok(());
                }
                let (c, rest) = class::escape(self.rest)?;
                push_literal(&mut self.out, c);
                self.rest = rest;
                return Ok(());
            }
        };
        self.skip(2);
        self.out.push_str(translated);
        Ok(())
    }

    /// `\Q…\E`; each character is an item of its own.
    fn quoted(&mut self) {
        let quoted = &self.rest[2..];
        let (text, rest) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
        text.chars().for_each(|c| push_literal(&mut self.out, c));
        self.rest = rest;
    }
}

fn push_literal(out: &mut String, c: char) {
    if c.is_ascii() && !c.is_ascii_alphanumeric() {
        out.push_str(&class::code_point(c));
    } else {
        out.push(c);
    }
}

/// `{min}`, `{min,}` or `{min,max}`.
struct Counts {
    min: u32,
    max: Option<u32>,
    length: usize,
}

fn counts(text: &str) -> Option<Counts> {
    let (inside, _) = text.strip_prefix('{')?.split_once('}')?;
    let (min, max) = inside.split_once(',').map_or((inside, None), |(min, max)| (min, Some(max)));
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    let max = match max {
        None => Some(number(min)?),
        Some("") => None,
        Some(max) => Some(number(max)?),
    };
    Some(Counts { min: number(min)?, max, length: inside.len() + 2 })
}
