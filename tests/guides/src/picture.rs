//! Pictures of what guides show: a terminal as SVG.
//!
//! `UPDATE_EXPECT=1` writes them while the chapters run. A picture holds what one run printed; the tests hold that text
//! against what the chapter shows, and the drawing against its text.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{compare, repository};

/// Columns and rows that a picture has at most: what is longer is cut.
const COLUMNS: usize = 76;
const ROWS: usize = 18;
/// The size of a character.
const WIDTH: usize = 8;
const HEIGHT: usize = 18;
/// What surrounds the text.
const MARGIN: usize = 14;

/// Bytes that a picture may have.
pub const LIMIT: usize = 30_000;

/// Where a picture is.
pub fn path(name: &str) -> PathBuf {
    repository().join(format!("docs/guides/pictures/{name}.svg"))
}

/// Draws commands and what they printed into the picture of a name.
///
/// # Errors
/// The file cannot be written.
pub fn write(name: &str, commands: &str, printed: &str) -> Result<(), String> {
    let printed = printed.lines().filter(|line| !compare::is_of_cargo(line) && !line.trim().is_empty());
    let lines = prompts(commands).into_iter().chain(printed.map(fitted)).collect();
    save(name, draw(&shortened(lines)).as_bytes())
}

/// Commands as a picture shows them.
pub fn prompts(commands: &str) -> Vec<String> {
    commands.trim().lines().map(|line| fitted(&format!("$ {line}"))).collect()
}

/// Takes a picture that a command made.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn copy(name: &str, file: &Path) -> Result<(), String> {
    save(name, &fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?)
}

fn save(name: &str, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() > LIMIT {
        return Err(format!("the picture `{name}` has {} bytes, {LIMIT} is the limit", bytes.len()));
    }
    fs::write(path(name), bytes).map_err(|error| format!("the picture `{name}`: {error}"))
}

/// The first rows and the last ones, where there are too many.
fn shortened(lines: Vec<String>) -> Vec<String> {
    if lines.len() <= ROWS {
        return lines;
    }
    let (first, last) = (&lines[..ROWS / 2], &lines[lines.len() - ROWS / 2 + 1..]);
    first.iter().cloned().chain(std::iter::once("…".to_owned())).chain(last.iter().cloned()).collect()
}

fn fitted(line: &str) -> String {
    let line = line.trim_end();
    if line.chars().count() <= COLUMNS {
        return line.to_owned();
    }
    line.chars().take(COLUMNS - 1).chain(['…']).collect()
}

/// A terminal with these lines.
pub fn draw(lines: &[String]) -> String {
    let (width, height) = (COLUMNS * WIDTH + 2 * MARGIN, lines.len() * HEIGHT + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" \
         font-size=\"13\" xml:space=\"preserve\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" \
         fill=\"#1e2127\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let color = if line.starts_with("$ ") { "#8ec07c" } else { "#dcdfe4" };
        let y = MARGIN + (row + 1) * HEIGHT - 5;
        let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{color}\">{}</text>", escaped(line));
    }
    svg + "</svg>\n"
}

/// The lines of a picture that [`draw`] made.
pub fn lines(svg: &str) -> Vec<String> {
    let texts = svg.lines().filter_map(|line| line.strip_suffix("</text>"));
    texts.filter_map(|line| Some(unescaped(line.split_once('>')?.1))).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_holds_its_lines() {
        let text = ["$ cargo run", "a < b && c > d", "  indented …"].map(str::to_owned);
        assert_eq!(lines(&draw(&text)), text);
    }
}
