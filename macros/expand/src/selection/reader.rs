//! Reads the part of TOML that selection files use: `key = value` with strings, integers and arrays of strings, tables
//! by name, comments.

use oplink_spec::DType;

use super::Chosen;

/// A value after `=`.
#[derive(Debug, PartialEq)]
enum Value {
    Integer(i64),
    Text(String),
    Texts(Vec<String>),
}

/// The ops of a file, in its order.
pub(super) fn read(text: &str) -> Result<Vec<(String, Chosen)>, String> {
    let mut reader = Reader { rest: text, line: 1 };
    let mut ops: Vec<(String, Chosen)> = Vec::new();
    let (mut table, mut version) = (String::new(), None);
    loop {
        reader.skip_blank();
        let line = reader.line;
        let at = |message: String| format!("line {line}: {message}");
        if reader.rest.is_empty() {
            break;
        }
        if reader.eat('[') {
            table = reader.key()?;
            reader.expect(']')?;
            if table != "ops" {
                return Err(at(format!("unknown table `[{table}]`; the only one is `[ops]`")));
            }
            reader.end_of_line()?;
            continue;
        }
        let key = reader.key()?;
        reader.expect('=')?;
        let value = reader.value()?;
        reader.end_of_line()?;
        match (table.as_str(), key.as_str(), value) {
            ("", "version", Value::Integer(1)) => version = Some(1),
            ("", "version", _) => return Err(at("this build reads `version = 1` only".to_owned())),
            ("", other, _) => return Err(at(format!("unknown key `{other}`; ops stand under `[ops]`"))),
            (_, op, _) if ops.iter().any(|entry| entry.0 == op) => {
                return Err(at(format!("the op `{op}` is listed twice")));
            }
            (_, op, value) => ops.push((op.to_owned(), chosen(op, value).map_err(at)?)),
        }
    }
    version.map(|_: i32| ops).ok_or_else(|| "`version = 1` is missing".to_owned())
}

fn chosen(op: &str, value: Value) -> Result<Chosen, String> {
    match value {
        Value::Text(text) if text == "all" => Ok(Chosen::All),
        Value::Texts(rows) => rows.iter().map(|row| combination(row)).collect::<Result<_, _>>().map(Chosen::Dtypes),
        _ => Err(format!("write `{op} = \"all\"` or `{op} = [\"T=float\", …]`")),
    }
}

/// `SrcT=uint8 DstT=float`.
fn combination(row: &str) -> Result<Vec<(String, DType)>, String> {
    let pair = |word: &str| {
        let (attr, dtype) = word.split_once('=').ok_or_else(|| format!("`{word}` is not `attr=dtype`"))?;
        let dtype = DType::parse(dtype).ok_or_else(|| format!("`{dtype}` is no dtype"))?;
        Ok((attr.to_owned(), dtype))
    };
    row.split_whitespace().map(pair).collect()
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, message: &str) -> String {
        format!("line {}: {message}", self.line)
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn skip_spaces(&mut self) {
        let spaces = self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len();
        self.advance(spaces);
    }

    /// Skips spaces, comments and line ends.
    fn skip_blank(&mut self) {
        loop {
            let spaces = self.rest.len() - self.rest.trim_start().len();
            self.advance(spaces);
            if !self.rest.starts_with('#') {
                return;
            }
            self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let found = self.rest.starts_with(wanted);
        if found {
            self.advance(wanted.len_utf8());
        }
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error(&format!("expected `{wanted}`"))) }
    }

    fn end_of_line(&mut self) -> Result<(), String> {
        self.skip_spaces();
        match self.rest.chars().next() {
            None | Some('\n' | '\r' | '#') => Ok(()),
            Some(_) => Err(self.error("expected the end of the line")),
        }
    }

    fn key(&mut self) -> Result<String, String> {
        self.skip_spaces();
        if self.rest.starts_with(['"', '\'']) {
            return self.text();
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let end = self.rest.find(|c| !word(c)).unwrap_or(self.rest.len());
        match self.advance(end) {
            "" => Err(self.error("expected a name")),
            name => Ok(name.to_owned()),
        }
    }

    fn text(&mut self) -> Result<String, String> {
        let quote = if self.eat('"') { '"' } else { '\'' };
        if quote == '\'' {
            self.expect('\'')?;
        }
        let end = self.rest.find([quote, '\n', '\\']).unwrap_or(self.rest.len());
        let text = self.advance(end).to_owned();
        match self.rest.chars().next() {
            Some(c) if c == quote => {
                self.advance(1);
                Ok(text)
            }
            Some('\\') => Err(self.error("strings here have no escapes")),
            _ => Err(self.error("a string does not end")),
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.skip_spaces();
        match self.rest.chars().next() {
            Some('"' | '\'') => self.text().map(Value::Text),
            Some('[') => self.texts().map(Value::Texts),
            _ => {
                let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
                let digits = self.advance(end).parse();
                digits.map(Value::Integer).map_err(|_| self.error("expected a string, a list of strings or an integer"))
            }
        }
    }

    fn texts(&mut self) -> Result<Vec<String>, String> {
        self.expect('[')?;
        let mut texts = Vec::new();
        loop {
            self.skip_blank();
            if self.eat(']') {
                return Ok(texts);
            }
            texts.push(self.text()?);
            self.skip_blank();
            if !self.eat(',') {
                self.expect(']')?;
                return Ok(texts);
            }
        }
    }
}
