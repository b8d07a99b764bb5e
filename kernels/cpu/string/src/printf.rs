//! Numbers and strings as C's `printf` writes them.

/// The notation of a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `%f`: digits before and after the point.
    Fixed,
    /// `%e`: one digit before the point, and an exponent.
    Scientific,
    /// `%g`: the shorter of both, without trailing zeros.
    Shortest,
}

/// A conversion: flag, width, precision and notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// `+`, `-`, `0` or a space.
    pub(super) flag: Option<u8>,
    /// Characters at least.
    pub(super) width: usize,
    /// Digits after the point, or of all with [`Notation::Shortest`].
    pub(super) precision: usize,
    /// The notation.
    pub(super) notation: Notation,
}

impl Format {
    /// A floating-point number.
    pub(super) fn float(&self, value: f64) -> String {
        let digits = if value.is_finite() {
            digits(value.abs(), self.precision, self.notation)
        } else {
            if value.is_nan() { "nan" } else { "inf" }.to_owned()
        };
        self.padded(self.sign(value.is_sign_negative()), &digits, value.is_finite())
    }

    /// An integer of a signed dtype.
    pub(super) fn signed(&self, value: i64) -> String {
        self.padded(self.sign(value < 0), &value.unsigned_abs().to_string(), true)
    }

    /// An integer of an unsigned dtype.
    pub(super) fn unsigned(&self, value: u64) -> String {
        self.padded("", &value.to_string(), true)
    }

    /// A string; only the width and the flag `-` count.
    pub(super) fn string(&self, value: &[u8]) -> Vec<u8> {
        // bounded: `AsString` checks the width
        let padding = vec![b' '; self.width.saturating_sub(value.len())];
        let parts = if self.flag == Some(b'-') { [value, &padding] } else { [&padding, value] };
        parts.concat()
    }

    fn sign(&self, is_negative: bool) -> &'static str {
        match self.flag {
            _ if is_negative => "-",
            Some(b'+') => "+",
            Some(b' ') => " ",
            _ => "",
        }
    }

    fn padded(&self, sign: &str, digits: &str, is_number: bool) -> String {
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        // bounded: `AsString` checks the width
        let fill = |with: &str| with.repeat(missing);
        match self.flag {
            Some(b'-') => format!("{sign}{digits}{}", fill(" ")),
            Some(b'0') if is_number => format!("{sign}{}{digits}", fill("0")),
            _ => format!("{}{sign}{digits}", fill(" ")),
        }
    }
}

/// Digits after the point that a double has at most, and more: all that follow are zeros.
const LONGEST: usize = 1100;

/// The digits of a finite number that is not negative.
pub(super) fn digits(value: f64, precision: usize, notation: Notation) -> String {
    let (exact, zeros) = (precision.min(LONGEST), precision.saturating_sub(LONGEST));
    // bounded: `AsString` checks the precision
    let zeros = "0".repeat(zeros);
    match notation {
        Notation::Fixed => format!("{value:.exact$}{zeros}"),
        Notation::Scientific => {
            let (significand, exponent) = scientific(value, exact);
            with_exponent(&(significand + &zeros, exponent))
        }
        Notation::Shortest => shortest(value, exact.max(1)),
    }
}

/// Significand and exponent.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (significand, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (significand.to_owned(), exponent.parse().unwrap_or(0))
}

fn with_exponent((significand, exponent): &(String, i32)) -> String {
    let sign = if *exponent < 0 { '-' } else { '+' };
    format!("{significand}e{sign}{:02}", exponent.abs())
}

fn shortest(value: f64, precision: usize) -> String {
    let (significand, exponent) = scientific(value, precision - 1);
    let trimmed = |digits: &str| {
        let short = digits.trim_end_matches('0').trim_end_matches('.');
        if digits.contains('.') { short.to_owned() } else { digits.to_owned() }
    };
    if (-4..precision as i32).contains(&exponent) {
        let decimals = (precision as i32 - 1 - exponent) as usize;
        return trimmed(&format!("{value:.decimals$}"));
    }
    with_exponent(&(trimmed(&significand), exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_notation_is_that_of_c() {
        let cases = [
            (0.0, "0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (123_456.0, "123456"),
            (1_234_567.0, "1.23457e+06"),
            (0.5, "0.5"),
            (1e300, "1e+300"),
            (999_999.5, "1e+06"),
        ];
        for (value, expected) in cases {
            assert_eq!(digits(value, 6, Notation::Shortest), expected);
        }
        assert_eq!(digits(2.5, 0, Notation::Shortest), "2");
    }

    #[test]
    fn flags_and_widths() {
        let format = |flag, width| Format { flag, width, precision: 1, notation: Notation::Fixed };
        assert_eq!(format(Some(b'0'), 6).float(-1.5), "-001.5");
        assert_eq!(format(Some(b'0'), 6).float(f64::NEG_INFINITY), "  -inf");
        assert_eq!(format(Some(b'-'), 6).float(1.5), "1.5   ");
        assert_eq!(format(Some(b'+'), 6).signed(7), "    +7");
        assert_eq!(format(Some(b'+'), 3).unsigned(7), "  7");
        assert_eq!(format(Some(b'-'), 4).string(b"ab"), b"ab  ");
    }
}
