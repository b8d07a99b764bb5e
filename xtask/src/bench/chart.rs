//! Pictures of lines over two logarithmic axes, as SVG.

use std::fmt::Write as _;

/// A picture.
pub(super) struct Chart<'t> {
    pub(super) title: &'t str,
    pub(super) x_label: &'t str,
    pub(super) y_label: &'t str,
    pub(super) lines: Vec<Line>,
}

/// A line of a picture: its points, of which those that are not finite are left out.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;

/// The part with the lines.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 470.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 345.0;

/// Colours that differ for people who do not see all of them too.
const COLOURS: [&str; 6] = ["#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#777777"];

/// An axis: the range of its values, and the range of the picture.
struct Axis {
    least: f64,
    greatest: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis of whole decades around the values.
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let logarithms = values.filter(|value| *value > 0.0 && value.is_finite()).map(f64::log10);
        let least = logarithms.clone().fold(f64::INFINITY, f64::min).floor();
        let greatest = logarithms.fold(f64::NEG_INFINITY, f64::max).ceil();
        Self { least, greatest: greatest.max(least + 1.0), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value.log10() - self.least) / (self.greatest - self.least) * (self.to - self.from)
    }

    /// The powers of ten.
    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        let (mut exponent, end) = (self.least, self.greatest);
        std::iter::from_fn(move || {
            let decade = (exponent <= end).then(|| 10f64.powf(exponent));
            exponent += 1.0;
            decade
        })
    }
}

impl Chart<'_> {
    /// The picture as text.
    pub(super) fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| line.points.iter().copied());
        let x = Axis::new(points().map(|(x, _)| x), LEFT, RIGHT);
        let y = Axis::new(points().map(|(_, y)| y), BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        let middle = f64::midpoint(LEFT, RIGHT);
        text(&mut svg, middle, 22.0, "middle", self.title);
        text(&mut svg, middle, HEIGHT - 15.0, "middle", self.x_label);
        text(&mut svg, 8.0, TOP - 14.0, "start", self.y_label);
        for decade in x.decades() {
            rule(&mut svg, (x.place(decade), TOP), (x.place(decade), BOTTOM));
            text(&mut svg, x.place(decade), BOTTOM + 18.0, "middle", &amount(decade));
        }
        for decade in y.decades() {
            rule(&mut svg, (LEFT, y.place(decade)), (RIGHT, y.place(decade)));
            text(&mut svg, LEFT - 6.0, y.place(decade) + 4.0, "end", &amount(decade));
        }
        for (position, line) in self.lines.iter().enumerate() {
            draw(&mut svg, line, position, (&x, &y));
        }
        svg + "</svg>\n"
    }
}

fn draw(svg: &mut String, line: &Line, position: usize, (x, y): (&Axis, &Axis)) {
    let colour = COLOURS[position % COLOURS.len()];
    let places: Vec<(f64, f64)> = line
        .points
        .iter()
        .filter(|(_, value)| *value > 0.0 && value.is_finite())
        .map(|&(at, value)| (x.place(at), y.place(value)))
        .collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ =
        writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", path.join(" "));
    for (x, y) in places {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
    }
    let height = TOP + 10.0 + 20.0 * position as f64;
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>",
        RIGHT + 12.0,
        height - 6.0
    );
    text(svg, RIGHT + 32.0, height, "start", &line.name);
}

fn rule(svg: &mut String, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(svg, "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#dddddd\"/>");
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

/// A power of ten as it is read.
fn amount(decade: f64) -> String {
    match decade {
        decade if decade >= 1e6 => format!("{:.0}M", decade / 1e6),
        decade if decade >= 1e4 => format!("{:.0},000", decade / 1e3),
        decade => format!("{decade}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_between_whole_decades() {
        let axis = Axis::new([20.0, 500.0, f64::NAN].into_iter(), 0.0, 200.0);
        assert_eq!(axis.decades().collect::<Vec<_>>(), [10.0, 100.0, 1000.0]);
        assert!((axis.place(100.0) - 100.0).abs() < 1e-9);
        let line = Line { name: "a<b".to_owned(), points: vec![(1.0, 2.0), (10.0, f64::NAN), (100.0, 3.0)] };
        let svg = Chart { title: "t", x_label: "x", y_label: "y", lines: vec![line] }.svg();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("a&lt;b"));
        assert_eq!(svg.matches("<circle").count(), 2, "what is not finite is left out");
        assert!(!svg.contains("NaN"));
    }
}
