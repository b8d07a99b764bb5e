//! Runs a chapter in a folder of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::chapter::{Need, Step, Words, parse};
use crate::{builds, compare, picture, repository};

/// Seconds that the commands of one block may take.
const LIMIT: u32 = 900;

/// What a shell runs before the commands of a block, and behind them: variables and the folder are kept.
const BEFORE: &str = "path=$PATH\n[ ! -e \"$KEPT\" ] || . \"$KEPT\"\nPATH=$path\nset -euo pipefail\n";
const BEHIND: &str = "set +u\ndeclare -px >\"$KEPT\"\npwd >\"$KEPT.folder\"\n";

/// Variables of the test that a reader's shell does not have.
const REMOVED: [&str; 6] =
    ["RUST_BACKTRACE", "CARGO_TARGET_DIR", "OPLINK_SELECTION", "OPLINK_REQUIRE", "RUSTFLAGS", "CARGO_MANIFEST_DIR"];

/// Follows a chapter with what the machine has beside Rust: blocks that need something else are left out.
///
/// # Errors
/// What a command prints beside what is shown, or that it fails: with the chapter's line, and all that is printed.
pub fn run(chapter: &str, has: &[Need]) -> Result<(), String> {
    let path = format!("docs/guides/{chapter}.md");
    let text = fs::read_to_string(repository().join(&path)).map_err(|error| format!("{path}: {error}"))?;
    let steps = parse(&text).map_err(|error| format!("{path}:{error}"))?;
    // Parts of a chapter may run side by side.
    let part = has.iter().fold(chapter.to_owned(), |part, need| part + "-" + need.word());
    let mut reader = Reader::new(part)?;
    let start = Instant::now();
    for step in &steps {
        reader.follow(step, has).map_err(|(line, error)| format!("{path}:{line}: {error}"))?;
    }
    if !reader.updates.is_empty() {
        let text = updated(&text, &reader.updates);
        fs::write(repository().join(&path), text).map_err(|error| format!("{path}: {error}"))?;
    }
    let seconds = format!("{}: {:.1} s", reader.part, start.elapsed().as_secs_f64());
    let _ = writeln!(reader.transcript, "# {seconds}");
    println!("{seconds}");
    reader.end()
}

/// Who follows a chapter.
struct Reader {
    /// Everything of this reader.
    root: PathBuf,
    /// Where the shell is.
    folder: PathBuf,
    is_long: bool,
    transcript: String,
    /// The chapter, with what it is followed with.
    part: String,
    /// Commands that printed something else than is shown, by their lines, where the chapter is to be written anew.
    updates: BTreeMap<usize, String>,
}

impl Reader {
    fn new(part: String) -> Result<Self, String> {
        let builds = builds::get()?;
        let is_long = std::env::var_os("OPLINK_LONG").is_some();
        // Cargo knows packages by their paths: the same ones, so that it finds what it has built before.
        let of_repository = || repository().display().to_string().replace('/', "-");
        let owner = if is_long { of_repository() } else { std::process::id().to_string() };
        let root = std::env::temp_dir().join(format!("oplink-guide-{owner}-{part}"));
        let folder = root.join("work");
        let make = || {
            let _ = fs::remove_dir_all(&root);
            fs::create_dir_all(root.join("bin"))?;
            fs::create_dir_all(&folder)?;
            symlink(repository(), folder.join("oplink"))?;
            symlink(&builds.command, root.join("bin/oplink"))?;
            symlink(builds.folder.join("guide-cargo"), root.join("bin/cargo"))
        };
        make().map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Self { folder, root, is_long, transcript: String::new(), part, updates: BTreeMap::new() })
    }

    fn follow(&mut self, step: &Step, has: &[Need]) -> Result<(), (usize, String)> {
        match step {
            Step::File { line, path, text } => {
                let path = self.folder.join(path);
                let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
                written.map_err(|error| (*line, format!("{}: {error}", path.display())))
            }
            Step::Command { words, .. } if words.setup => Ok(()),
            Step::Command { words, .. } if words.needs.iter().any(|need| !self.is_there(*need, has)) => Ok(()),
            Step::Command { line, text, words, shown } => {
                self.type_in(*line, text, words, shown.as_deref()).map_err(|error| (*line, error))
            }
        }
    }

    fn is_there(&self, need: Need, has: &[Need]) -> bool {
        has.contains(&need) || (need == Need::Long && self.is_long)
    }

    /// Runs commands and looks at what they print.
    fn type_in(&mut self, line: usize, text: &str, words: &Words, shown: Option<&str>) -> Result<(), String> {
        let start = Instant::now();
        let (success, printed) = self.shell(text, words)?;
        let _ = writeln!(self.transcript, "$ {}\n{printed}# {:.1} s", text.trim(), start.elapsed().as_secs_f64());
        if success == words.fails {
            let ended = if success { "does not fail" } else { "fails" };
            return Err(format!("`{}` {ended}:\n{printed}", text.trim()));
        }
        let asked = std::env::var_os("UPDATE_EXPECT").is_some();
        if let Some(Err(error)) = shown.map(|shown| compare::check(shown, &printed)) {
            if !asked {
                return Err(format!("{error}\nAll that is printed:\n{printed}"));
            }
            self.updates.insert(line, printed.clone());
        }
        match words.picture.as_deref().map(|name| name.split_once(':').unwrap_or((name, ""))) {
            Some((name, "")) if asked => picture::write(name, text, &printed),
            Some((name, file)) if asked => picture::copy(name, &self.folder.join(file)),
            _ => Ok(()),
        }
    }

    /// Whether the commands succeed, and what they print. The shell's folder and variables are kept.
    fn shell(&mut self, text: &str, words: &Words) -> Result<(bool, String), String> {
        let (kept, output) = (self.root.join("kept"), self.root.join("output"));
        let failed = |error: std::io::Error| format!("the shell: {error}");
        let file = fs::File::create(&output).map_err(failed)?;
        let script = [BEFORE, text, BEHIND].concat();
        let mut bash = Command::new("timeout");
        bash.args(["--kill-after=10", &LIMIT.to_string(), "bash", "-c", &script]);
        bash.current_dir(&self.folder).env("KEPT", &kept).env("PATH", self.path(words)?);
        bash.stdin(std::process::Stdio::null()).stdout(file.try_clone().map_err(failed)?).stderr(file);
        for variable in REMOVED {
            bash.env_remove(variable);
        }
        bash.env("GUIDE_LIBRARIES", &builds::get()?.libraries).env("GUIDE_CARGO", env!("CARGO"));
        bash.env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("LC_ALL", "C.UTF-8")
            .env("RAY_USAGE_STATS_ENABLED", "0")
            .env("TF_CPP_MIN_LOG_LEVEL", "3");
        let status = bash.status().map_err(failed)?;
        let printed = without_colors(&String::from_utf8_lossy(&fs::read(&output).map_err(failed)?).replace('\r', "\n"));
        let folder = fs::read_to_string(kept.with_extension("folder")).unwrap_or_default();
        if status.success() && !folder.is_empty() {
            self.folder = PathBuf::from(folder.trim_end());
        }
        Ok((status.success(), printed))
    }

    /// The reader's programs, the environment of Python that the commands are for, then the machine's.
    fn path(&self, words: &Words) -> Result<std::ffi::OsString, String> {
        let environment = words.needs.iter().find_map(|need| match need {
            Need::Tensorflow => std::env::var_os("OPLINK_TENSORFLOW_VENV"),
            Need::Python => std::env::var_os("OPLINK_PYTHON_VENV"),
            Need::Ray => std::env::var_os("OPLINK_RAY_VENV"),
            Need::Torch => std::env::var_os("OPLINK_TORCH_VENV"),
            Need::Long => None,
        });
        let machine = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.root.join("bin"))
            .chain(environment.map(|environment| PathBuf::from(environment).join("bin")))
            .chain(std::env::split_paths(&machine));
        std::env::join_paths(folders).map_err(|error| error.to_string())
    }

    /// Keeps what was seen in `target/guides`, and removes the rest.
    fn end(self) -> Result<(), String> {
        let target = builds::get()?.folder.join("guides");
        let keep = || {
            fs::create_dir_all(&target)?;
            fs::write(target.join(format!("{}.txt", self.part)), &self.transcript)?;
            fs::remove_dir_all(&self.root)
        };
        keep().map_err(|error| format!("{}: {error}", target.display()))
    }
}

/// A text without what colors it on a terminal.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// A chapter with what commands printed in the place of what it shows.
fn updated(text: &str, updates: &BTreeMap<usize, String>) -> String {
    let (mut new, mut printed, mut is_old) = (String::new(), None, false);
    for (at, line) in text.lines().enumerate() {
        printed = updates.get(&(at + 1)).or(printed);
        if is_old && line != "```" {
            continue;
        }
        is_old = false;
        new = new + line + "\n";
        if let ("```text", Some(text)) = (line, printed) {
            let lines = text.lines().filter(|line| !compare::is_of_cargo(line)).map(str::trim_end);
            new += lines.collect::<Vec<_>>().join("\n").trim_matches('\n');
            new.push('\n');
            (printed, is_old) = (None, true);
        }
    }
    new
}
