//! The numbers of all epochs as a picture.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use oplink_api::Result;
use oplink_bundle::write_file;

use super::callback::{Callback, Progress};
use super::logs::History;

const WIDTH: f64 = 640.0;
/// The height of one diagram.
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 500.0;
const MARGIN: f64 = 34.0;

/// Colours that differ for people who do not see all of them too.
const COLOURS: [&str; 2] = ["#0072b2", "#d55e00"];

/// Writes an SVG picture behind each epoch: a diagram for the loss and each metric, with the numbers of the training
/// data and those of the validation data.
#[derive(Debug)]
pub struct LearningCurve {
    path: PathBuf,
}

impl LearningCurve {
    /// The picture goes to this file.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_owned() }
    }
}

impl Callback for LearningCurve {
    fn on_epoch_end(&mut self, progress: &mut Progress<'_>) -> Result<()> {
        write_file(&self.path, svg(progress.history)?.as_bytes())
    }
}

fn svg(history: &History) -> Result<String> {
    let names = history.names().into_iter().filter(|name| !name.starts_with("val_") && *name != "learning_rate");
    let names: Vec<&str> = names.collect();
    let height = HEIGHT * names.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (at, name) in names.into_iter().enumerate() {
        diagram(&mut svg, history, name, HEIGHT * at as f64)?;
    }
    Ok(svg + "</svg>\n")
}

/// The lines of one name over all epochs.
fn diagram(svg: &mut String, history: &History, name: &str, top: f64) -> Result<()> {
    let validation = format!("val_{name}");
    let lines = [name, &validation].map(|name| history.epochs().iter().map(|logs| logs.get(name)).collect::<Vec<_>>());
    let finite = || lines.iter().flatten().flatten().copied().filter(|value| value.is_finite());
    let (least, greatest) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    let (upper, lower) = (top + MARGIN, top + HEIGHT - MARGIN);
    let range = (greatest - least).max(f64::MIN_POSITIVE);
    let y = |value: f64| lower - (value - least) / range * (lower - upper);
    let x = |epoch: usize| LEFT + (RIGHT - LEFT) * epoch as f64 / (history.epochs().len().max(2) - 1) as f64;
    writeln!(svg, "<path d=\"M{LEFT} {upper}V{lower}H{RIGHT}\" fill=\"none\" stroke=\"#aaaaaa\"/>")?;
    for (value, height) in [(greatest, upper), (least, lower)].into_iter().filter(|(value, _)| value.is_finite()) {
        text(svg, (LEFT - 6.0, height + 4.0), "end", &format!("{value:.4}"))?;
    }
    text(svg, (LEFT, lower + 18.0), "middle", "1")?;
    text(svg, (RIGHT, lower + 18.0), "middle", &format!("{} epochs", history.epochs().len()))?;
    for (at, (values, name)) in lines.iter().zip([name, &validation]).enumerate() {
        let points: Vec<String> = values
            .iter()
            .enumerate()
            .filter_map(|(epoch, value)| {
                let value = value.filter(|value| value.is_finite())?;
                Some(format!("{:.1},{:.1}", x(epoch), y(value)))
            })
            .collect();
        if points.is_empty() {
            continue;
        }
        let (colour, height) = (COLOURS[at], upper + 18.0 * at as f64);
        let points = points.join(" ");
        writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>")?;
        let left = RIGHT + 12.0;
        writeln!(svg, "<rect x=\"{left}\" y=\"{height}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>")?;
        text(svg, (RIGHT + 32.0, height + 6.0), "start", name)?;
    }
    Ok(())
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) -> Result<()> {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>")?;
    Ok(())
}
