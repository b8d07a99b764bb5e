//! Modules: what has variables, each with a name that says where it is.

use crate::variable::Variable;

/// Something with variables: a layer, a model, a list of modules. `#[derive(Module)]` makes it of a struct whose fields
/// are modules; numbers and texts are modules without variables, and other fields are marked `#[module(skip)]`.
///
/// ```ignore
/// #[derive(Module)]
/// struct Classifier { body: Sequential, head: Dense, num_classes: usize, #[module(skip)] labels: Labels }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no module",
    note = "a module has `#[derive(Module)]`; a field that is none is marked `#[module(skip)]`"
)]
pub trait Module {
    /// Shows the visitor each part.
    fn visit(&self, visitor: &mut Visitor<'_>);

    /// All variables with their names, such as `body.0.kernel`, in the order of the fields.
    fn variables(&self) -> Vec<(String, Variable)> {
        let mut variables = Vec::new();
        let mut found = |path: &str, variable: &Variable| variables.push((path.to_owned(), variable.clone()));
        self.visit(&mut Visitor { path: String::new(), found: &mut found });
        variables
    }

    /// The variables that gradients are for.
    fn trainable_variables(&self) -> Vec<Variable> {
        self.variables().into_iter().map(|(_, variable)| variable).filter(Variable::is_trainable).collect()
    }

    /// The number of elements of all trainable variables.
    fn num_parameters(&self) -> usize {
        self.trainable_variables().iter().map(|variable| variable.shape().num_elements()).sum()
    }
}

/// Goes through the parts of a module.
pub struct Visitor<'v> {
    path: String,
    found: &'v mut dyn FnMut(&str, &Variable),
}

impl Visitor<'_> {
    /// Visits a part of this name.
    pub fn part(&mut self, name: &str, part: &(impl Module + ?Sized)) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        part.visit(self);
        self.path.truncate(length);
    }
}

impl std::fmt::Debug for Visitor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Visitor(at `{}`)", self.path)
    }
}

impl Module for Variable {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        (visitor.found)(&visitor.path, self);
    }
}

impl<M: Module> Module for Option<M> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Some(module) = self {
            module.visit(visitor);
        }
    }
}

impl<M: Module + ?Sized> Module for &M {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        (**self).visit(visitor);
    }
}

impl<M: Module + ?Sized> Module for Box<M> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        (**self).visit(visitor);
    }
}

impl<M: Module> Module for [M] {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.iter().enumerate().for_each(|(at, module)| visitor.part(&at.to_string(), module));
    }
}

impl<M: Module> Module for Vec<M> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self[..].visit(visitor);
    }
}

impl<M: Module, const N: usize> Module for [M; N] {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self[..].visit(visitor);
    }
}

macro_rules! without_variables {
    ($($ty:ty),*) => {$(
        impl Module for $ty {
            fn visit(&self, _: &mut Visitor<'_>) {}
        }
    )*};
}

without_variables!(bool, f32, f64, i32, i64, u32, u64, usize, String, &'static str);

/// The module of a struct of this crate: its parts by name.
macro_rules! module {
    ($ty:ty { $($part:ident),* $(,)? }) => {
        impl $crate::Module for $ty {
            #[allow(unused_variables, reason = "there are modules without parts")]
            fn visit(&self, visitor: &mut $crate::Visitor<'_>) {
                $(visitor.part(stringify!($part), &self.$part);)*
            }
        }
    };
}

pub(crate) use module;
