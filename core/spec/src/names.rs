//! Names: the nearest one to a misspelt one, and the snake case of an op's name.

/// The candidate nearest to `wanted`, if one is near enough to be what was meant: at most a third of the name's letters
/// differ (swapped neighbours count once, letter case hardly). The first of several equally near ones.
pub fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.chars().take(MAX_NAME).collect();
    let limit = (wanted.len() / 3).max(1) * SUBSTITUTION;
    candidates
        .filter(|c| c.len() <= 4 * MAX_NAME)
        .filter_map(|c| {
            let letters: Vec<char> = c.chars().collect();
            let limit = limit.min((letters.len() * SUBSTITUTION).checked_sub(1)?);
            Some((distance(&wanted, &letters, limit)?, c))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

/// The op language's word for the type that a program in Rust or C writes so: that of elements, and that of attrs.
pub(crate) fn of_program(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "f16" => ("half", "float"),
        "bf16" => ("bfloat16", "float"),
        "f32" => ("float", "float"),
        "f64" => ("double", "float"),
        "i8" => ("int8", "int"),
        "i16" => ("int16", "int"),
        "i32" => ("int32", "int"),
        "i64" | "isize" => ("int64", "int"),
        "u8" => ("uint8", "int"),
        "u16" => ("uint16", "int"),
        "u32" => ("uint32", "int"),
        "u64" | "usize" => ("uint64", "int"),
        "str" | "String" | "TString" => ("string", "string"),
        _ => return None,
    })
}

/// Letters of a name that the search looks at; bounds its cost on hostile input.
const MAX_NAME: usize = 64;

/// The cost of a letter replaced, inserted, left out or swapped with its neighbour.
const SUBSTITUTION: usize = 4;

/// The cost of a letter in the other case.
const CASE: usize = 1;

/// Optimal string alignment distance, weighted; `None` where it is over `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) * SUBSTITUTION > limit {
        return None;
    }
    let mut before = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).map(|j| j * SUBSTITUTION).collect();
    for i in 0..a.len() {
        let mut row = vec![(i + 1) * SUBSTITUTION];
        for j in 0..b.len() {
            let mut cost =
                (above[j] + replacement(a[i], b[j])).min(above[j + 1] + SUBSTITUTION).min(row[j] + SUBSTITUTION);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                let crossed: &Vec<usize> = &before;
                cost = cost.min(crossed[j - 1] + SUBSTITUTION);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
        // Later rows follow from these two.
        if above.iter().chain(&before).all(|&cost| cost > limit) {
            return None;
        }
    }
    Some(above[b.len()]).filter(|&cost| cost <= limit)
}

fn replacement(a: char, b: char) -> usize {
    if a == b {
        0
    } else if a.eq_ignore_ascii_case(&b) {
        CASE
    } else {
        SUBSTITUTION
    }
}

/// The function name of an op: `MatMul` gives `mat_mul`, `Conv2D` gives `conv2d`, `FFT` gives `fft`. An underscore goes
/// before a capital that a lower-case letter follows or precedes; digits stay with what is before them, as in
/// TensorFlow's Python functions. Underscores stay; `>` becomes `_`.
pub fn snake_case(op_name: &str) -> String {
    let chars: Vec<char> = op_name.chars().collect();
    let mut snake = String::with_capacity(op_name.len() + 8);
    for (i, &c) in chars.iter().enumerate() {
        if c == '>' {
            snake.push('_');
            continue;
        }
        if c.is_ascii_uppercase() && i > 0 && starts_word(&chars, i) {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Whether the capital at `i`, which is not the first letter, begins a word.
fn starts_word(chars: &[char], i: usize) -> bool {
    let before = chars[i - 1];
    if before == '_' || before == '>' {
        return false;
    }
    let next_is_lower = chars.get(i + 1).is_some_and(char::is_ascii_lowercase);
    next_is_lower || before.is_ascii_lowercase()
}
