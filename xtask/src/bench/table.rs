//! Tables in Markdown.

/// A table with its head.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

/// A figure with three digits; empty where there is none.
pub(super) fn shown(figure: f64) -> String {
    match figure {
        figure if !figure.is_finite() => String::new(),
        figure if figure >= 1e4 => {
            let (thousands, rest) = ((figure / 1e3).floor(), figure % 1e3);
            format!("{thousands:.0},{rest:03.0}")
        }
        figure if figure >= 100.0 => format!("{figure:.0}"),
        figure if figure >= 10.0 => format!("{figure:.1}"),
        figure if figure >= 1.0 => format!("{figure:.2}"),
        figure => format!("{figure:.3}"),
    }
}

/// The geometric mean of the figures that are there.
pub(super) fn geometric_mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures
        .filter(|figure| figure.is_finite())
        .fold((0.0, 0.0), |(sum, count), figure| (sum + figure.ln(), count + 1.0));
    (sum / count).exp()
}
