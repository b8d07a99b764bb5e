//! How a formula is compiled: by the names of the functions in its body.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// How a formula's loop is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// A few operations: memory is slower than they are.
    Cheap,
    /// Calls of functions that are not vectorised: no instruction set makes them faster.
    Calls,
    /// Vectorised functions: for each instruction set.
    Vector,
    /// The same with functions that have a limit, beyond which a second loop computes.
    Marked,
}

/// Functions that are vectorised in single precision.
const VECTORISED: &[&str] = &[
    "exp", "exp_m1", "ln", "ln_1p", "log", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "powf", "atan2", "sigmoid", "erf", "erfc",
];

/// Those of them that have a limit.
const LIMITED: &[&str] = &["sin", "cos", "tan", "sin_cos"];

/// Functions that are not vectorised.
const CALLS: &[&str] = &[
    "lgamma",
    "digamma",
    "erfinv",
    "exp2",
    "log2",
    "log10",
    "cbrt",
    "hypot",
    "bessel_i0e",
    "bessel_i1e",
    "bessel_i0",
    "bessel_i1",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "dawsn",
    "expint",
    "fresnel_cos",
    "fresnel_sin",
    "spence",
    "igamma_grad_a",
    "random_gamma_grad",
    "ndtri",
    "igamma",
    "igammac",
    "polygamma",
    "zeta",
];

/// Words that make a result depend on a comparison.
const CHOICES: &[&str] =
    &["if", "match", "while", "for", "loop", "max", "min", "clamp", "is_nan", "is_finite", "is_infinite", "signum"];

/// What a formula's body is made of.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Uses {
    vectorised: bool,
    limited: bool,
    calls: bool,
    choices: bool,
}

impl Uses {
    pub(crate) fn of(body: &syn::Block) -> Self {
        let mut uses = Self::default();
        uses.read(body.to_token_stream());
        uses
    }

    fn read(&mut self, tokens: TokenStream) {
        let mut before = None;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Punct(punct) => self.choices |= matches!(punct.as_char(), '<' | '>' | '!'),
                TokenTree::Literal(_) => {}
                TokenTree::Ident(ident) => {
                    let is_called = matches!(tokens.peek(), Some(TokenTree::Group(group))
                        if group.delimiter() == Delimiter::Parenthesis);
                    self.read_name(&ident.to_string(), is_called, before);
                }
            }
            before = match &token {
                TokenTree::Punct(punct) => Some(punct.as_char()),
                _ => None,
            };
        }
    }

    fn read_name(&mut self, name: &str, is_called: bool, before: Option<char>) {
        self.choices |= CHOICES.contains(&name);
        if !is_called {
            return;
        }
        self.vectorised |= VECTORISED.contains(&name);
        self.limited |= LIMITED.contains(&name);
        self.calls |= CALLS.contains(&name);
        // A function of the author's, which may be made of anything.
        let is_own = !matches!(before, Some('.' | ':')) && !CHOICES.contains(&name) && name != "return";
        self.vectorised |= is_own;
    }

    /// Whether a result may be an operand as it is, by a comparison.
    pub(crate) fn chooses(self) -> bool {
        self.choices
    }

    /// How the formula is compiled, given whether it computes in single precision and gives its result in it.
    pub(crate) fn cost(self, is_single: bool, gives_single: bool) -> Cost {
        match self {
            Self { limited: true, choices: false, .. } if is_single && gives_single => Cost::Marked,
            Self { vectorised: true, .. } | Self { limited: true, .. } if is_single => Cost::Vector,
            Self { vectorised: false, limited: false, calls: false, .. } => Cost::Cheap,
            _ => Cost::Calls,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(body: &str, is_single: bool) -> Cost {
        Uses::of(&syn::parse_str(body).unwrap()).cost(is_single, is_single)
    }

    #[test]
    fn costs_follow_from_names() {
        assert_eq!(cost("{ x / (x.abs() + T::one()) }", true), Cost::Cheap);
        assert_eq!(cost("{ if x < T::zero() { x.exp_m1() } else { x } }", true), Cost::Vector);
        assert_eq!(cost("{ if x < T::zero() { x.exp_m1() } else { x } }", false), Cost::Calls);
        assert_eq!(cost("{ x.sin() * x }", true), Cost::Marked);
        assert_eq!(cost("{ if x.sin() == x { x } else { y } }", true), Cost::Vector);
        assert_eq!(cost("{ x.lgamma() }", true), Cost::Calls);
        assert_eq!(cost("{ own(x) }", true), Cost::Vector);
        assert_eq!(cost("{ let exp = x; exp + T::from_f32(2.0) }", true), Cost::Cheap);
    }
}
