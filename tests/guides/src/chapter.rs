//! A chapter: the files and commands of a guide, in order.

/// What a reader does next.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Writes a file.
    File {
        /// Where the block begins in the chapter.
        line: usize,
        /// The path, from the folder where the shell is.
        path: String,
        /// All that is in it.
        text: String,
    },
    /// Types commands.
    Command {
        /// Where the block begins in the chapter.
        line: usize,
        /// The commands, a line each.
        text: String,
        /// What is said of them.
        words: Words,
        /// What is seen, where the chapter shows it.
        shown: Option<String>,
    },
}

/// The words behind `sh`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// `setup`: installs what tests find installed, and is not run.
    pub setup: bool,
    /// `fails`: ends with another status than 0.
    pub fails: bool,
    /// What must be there: `long` is minutes for builds, others are environments of Python.
    pub needs: Vec<Need>,
    /// `picture=NAME`: what is seen is drawn into `docs/guides/pictures/NAME.svg`; `picture=NAME:FILE` is a picture
    /// that the command makes.
    pub picture: Option<String>,
}

/// What a block may need that not every machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Builds that take minutes.
    Long,
    /// Python with TensorFlow.
    Tensorflow,
    /// Python with the package `oplink`.
    Python,
    /// Python with Ray and the package `oplink`.
    Ray,
    /// Python with PyTorch.
    Torch,
}

impl Need {
    /// The word behind `sh`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Long => "long",
            Self::Tensorflow => "tensorflow",
            Self::Python => "python",
            Self::Ray => "ray",
            Self::Torch => "torch",
        }
    }

    const ALL: [Self; 5] = [Self::Long, Self::Tensorflow, Self::Python, Self::Ray, Self::Torch];
}

/// Reads a chapter.
///
/// # Errors
/// A block that is neither a file nor a command nor what a command prints, with its line.
pub fn parse(text: &str) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    let mut before = "";
    // Whether nothing but blank lines stands between the last command and here.
    let mut is_behind_command = false;
    while let Some((at, line)) = lines.next() {
        let at = at + 1;
        let Some(info) = line.trim_start().strip_prefix("```") else {
            if !line.trim().is_empty() {
                (before, is_behind_command) = (line.trim_end(), false);
            }
            continue;
        };
        if line.starts_with(' ') {
            return Err(format!("{at}: a block that is indented is not read"));
        }
        let mut block = String::new();
        loop {
            match lines.next() {
                Some((_, "```")) => break,
                Some((_, line)) => block = block + line + "\n",
                None => return Err(format!("{at}: the block has no end")),
            }
        }
        let (language, words) = info.split_once(' ').unwrap_or((info, ""));
        match (language, file_name(before)) {
            ("sh", _) => {
                let words = read_words(words).map_err(|word| format!("{at}: `{word}` is no word of commands"))?;
                steps.push(Step::Command { line: at, text: block, words, shown: None });
            }
            ("text", None) => match steps.last_mut() {
                Some(Step::Command { shown, .. }) if is_behind_command => *shown = Some(block),
                _ => return Err(format!("{at}: no command stands right before what is printed")),
            },
            (_, Some(path)) => steps.push(Step::File { line: at, path: path.to_owned(), text: block }),
            _ => return Err(format!("{at}: a block that is neither a file, commands nor what they print")),
        }
        is_behind_command = language == "sh";
        before = "";
    }
    Ok(steps)
}

/// The path at the end of a paragraph before a block.
fn file_name(before: &str) -> Option<&str> {
    let (_, path) = before.strip_suffix("`:")?.rsplit_once('`')?;
    (!path.is_empty() && !path.contains(' ')).then_some(path)
}

fn read_words(text: &str) -> Result<Words, String> {
    let mut words = Words::default();
    for word in text.split_whitespace() {
        match (word, word.strip_prefix("picture="), Need::ALL.iter().find(|need| need.word() == word)) {
            ("setup", ..) => words.setup = true,
            ("fails", ..) => words.fails = true,
            (_, Some(name), _) => words.picture = Some(name.to_owned()),
            (_, _, Some(need)) => words.needs.push(*need),
            _ => return Err(word.to_owned()),
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_is_files_and_commands_with_what_they_print() {
        let text = "# A guide\n\nWrite `src/main.rs`:\n\n```rust\nfn main() {}\n```\n\nRun:\n\n```sh fails python\ncargo run\n```\n\n```text\nhello\n```\n";
        let words = Words { fails: true, needs: vec![Need::Python], ..Words::default() };
        let wanted = [
            Step::File { line: 5, path: "src/main.rs".to_owned(), text: "fn main() {}\n".to_owned() },
            Step::Command { line: 11, text: "cargo run\n".to_owned(), words, shown: Some("hello\n".to_owned()) },
        ];
        assert_eq!(parse(text).expect("a chapter"), wanted);
    }

    #[test]
    fn what_would_not_be_run_is_an_error() {
        for (text, part) in [
            ("```rust\nfn main() {}\n```\n", "1: a block that is neither"),
            ("```text\nhello\n```\n", "1: no command"),
            ("```sh\nls\n```\n\nThen:\n\n```text\nhello\n```\n", "7: no command"),
            ("```sh soon\nls\n```\n", "`soon` is no word"),
            ("- a list\n\n  ```sh\n  ls\n  ```\n", "3: a block that is indented"),
            ("```sh\nls\n", "1: the block has no end"),
        ] {
            let error = parse(text).expect_err("an error");
            assert!(error.contains(part), "{error}");
        }
    }
}
