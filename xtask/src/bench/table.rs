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
            let whole = figure.round();
            format!("{:.0},{:03.0}", (whole / 1e3).floor(), whole % 1e3)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        let figures = [0.1234, 1.234, 12.34, 123.4, 12_345.6, f64::NAN].map(shown);
        assert_eq!(figures, ["0.123", "1.23", "12.3", "123", "12,346", ""]);
        assert_eq!(table(&["a", "b"], &[vec!["1".into(), "2".into()]]), "| a | b |\n|---|---|\n| 1 | 2 |\n");
        assert!((geometric_mean([0.5, 2.0, f64::NAN].into_iter()) - 1.0).abs() < 1e-12);
    }
}
