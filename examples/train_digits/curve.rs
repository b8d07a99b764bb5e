//! The learning curve as a picture.

use std::fmt::Write;
use std::path::Path;

use oplink::prelude::*;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 48.0;

/// What an epoch ended with.
#[derive(Clone, Copy)]
pub(crate) struct Epoch {
    loss: f64,
    pub(crate) test_accuracy: f64,
}

/// Losses and accuracies of all epochs.
#[derive(Default)]
pub(crate) struct Curve(Vec<Epoch>);

impl Curve {
    pub(crate) fn add(&mut self, loss: f64, test_accuracy: f64) {
        self.0.push(Epoch { loss, test_accuracy });
    }

    pub(crate) fn last(&self) -> Option<Epoch> {
        self.0.last().copied()
    }

    /// Writes a picture with both curves, each by its own scale.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let highest = self.0.iter().map(|epoch| epoch.loss).fold(f64::MIN_POSITIVE, f64::max);
        let lowest = self.0.iter().map(|epoch| epoch.test_accuracy).fold(1.0, f64::min).min(0.99);
        let losses: Vec<f64> = self.0.iter().map(|epoch| epoch.loss / highest).collect();
        let accuracies: Vec<f64> = self.0.iter().map(|epoch| (epoch.test_accuracy - lowest) / (1.0 - lowest)).collect();
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' font-family='sans-serif' \
             font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n"
        );
        line(&mut svg, &losses, "#c0392b")?;
        line(&mut svg, &accuracies, "#2471a3")?;
        let bottom = HEIGHT - MARGIN / 3.0;
        writeln!(svg, "<text x='{MARGIN}' y='24' fill='#c0392b'>loss, 0 to {highest:.3}</text>")?;
        let text = format!("test accuracy, {:.1} % to 100 %", 100.0 * lowest);
        writeln!(svg, "<text x='{}' y='24' fill='#2471a3' text-anchor='end'>{text}</text>", WIDTH - MARGIN)?;
        for at in 0..self.0.len() {
            writeln!(svg, "<text x='{}' y='{bottom}' text-anchor='middle'>{}</text>", x(at, self.0.len()), at + 1)?;
        }
        svg.push_str("</svg>\n");
        std::fs::write(path, svg).map_err(Error::from)
    }
}

/// Where an epoch is.
fn x(at: usize, count: usize) -> f64 {
    MARGIN + (WIDTH - 2.0 * MARGIN) * at as f64 / (count.max(2) - 1) as f64
}

/// A curve of shares of the height.
fn line(svg: &mut String, shares: &[f64], color: &str) -> Result<()> {
    let point = |(at, share): (usize, &f64)| {
        format!("{:.1},{:.1}", x(at, shares.len()), HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * share)
    };
    let points: Vec<String> = shares.iter().enumerate().map(point).collect();
    writeln!(svg, "<polyline fill='none' stroke='{color}' stroke-width='2' points='{}'/>", points.join(" "))?;
    Ok(())
}
