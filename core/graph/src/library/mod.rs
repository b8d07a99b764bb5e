//! The functions that a graph carries, as messages: each is an op that nodes call by its name.

mod call_shapes;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use oplink_api::descriptors::Location;
use oplink_api::{Code, Error, ErrorKind, Result};
use oplink_core::OpEntry;
use oplink_proto::{FunctionDef, FunctionDefLibrary, GradientDef};
use oplink_spec::nearest;
use oplink_spec::sorting::sort;

pub(crate) use call_shapes::{CallResults, CallShapes};

/// Where ops that are functions are declared, for messages.
const FROM_LIBRARY: Location =
    Location { crate_name: "graph", crate_version: "", file: "the graph's function library", line: 0 };

/// Whether the build has functions. Where it has none, nothing below enters or finds one, so that what works on
/// functions is code without callers.
pub(crate) const ARE_LINKED: bool = cfg!(feature = "functions");

/// The functions of a graph, by name.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    library: Option<FunctionDefLibrary>,
    entries: HashMap<String, Arc<Entry>>,
    found: Found,
}

/// What was found out of the functions as they are now.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// What calls return.
    pub(crate) call_shapes: CallShapes,
    /// The names of functions with effects.
    pub(crate) stateful: OnceLock<HashSet<String>>,
    /// The names of functions that may wait.
    pub(crate) waiting: OnceLock<HashSet<String>>,
}

impl Clone for Functions {
    /// The functions; what was found out of them is found anew.
    fn clone(&self) -> Self {
        Self { library: self.library.clone(), entries: self.entries.clone(), found: Found::default() }
    }
}

/// One function, which is also an op.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) op: OpEntry,
    pub(crate) def: FunctionDef,
}

impl Functions {
    /// The functions of a message.
    ///
    /// # Errors
    /// A function without a name or with a malformed signature; two of one name; any in a build without functions.
    pub(crate) fn from_library(library: Option<&FunctionDefLibrary>) -> Result<Self> {
        let Some(library) = library else { return Ok(Self::default()) };
        if !ARE_LINKED {
            return library.function.first().map_or_else(|| Ok(Self::default()), |def| Err(left_out(name_of(def))));
        }
        let mut functions = Self { library: Some(library.clone()), ..Self::default() };
        for def in &library.function {
            functions.enter(def)?;
        }
        Ok(functions)
    }

    /// Adds a function; the same one again changes nothing.
    ///
    /// # Errors
    /// A malformed signature; another function of the same name; a build without functions.
    pub(crate) fn add(&mut self, def: &FunctionDef) -> Result<()> {
        let name = name_of(def);
        if !ARE_LINKED {
            return Err(left_out(name));
        }
        if self.entries.get(name).is_some_and(|entry| entry.def == *def) {
            return Ok(());
        }
        self.enter(def)?;
        self.library.get_or_insert_default().function.push(def.clone());
        Ok(())
    }

    /// Notes which function is another one's gradient; the same one again changes nothing.
    ///
    /// # Errors
    /// The function has another gradient.
    pub(crate) fn add_gradient(&mut self, function: &FunctionDef, gradient: &FunctionDef) -> Result<()> {
        let (function_name, gradient_func) = (name_of(function).to_owned(), name_of(gradient).to_owned());
        let entry = GradientDef { function_name, gradient_func };
        let gradients = &mut self.library.get_or_insert_default().gradient;
        match gradients.iter().find(|known| known.function_name == entry.function_name) {
            None => gradients.push(entry),
            Some(known) if *known == entry => {}
            Some(known) => {
                return Err(malformed(format!(
                    "the gradient of function `{}` is `{}` already, it cannot be `{}` too",
                    known.function_name.escape_debug(),
                    known.gradient_func.escape_debug(),
                    entry.gradient_func.escape_debug()
                )));
            }
        }
        Ok(())
    }

    /// The name of the function that the library notes as another one's gradient.
    pub(crate) fn gradient_of(&self, function: &str) -> Option<String> {
        let gradients = &self.library.as_ref()?.gradient;
        gradients.iter().find(|known| known.function_name == function).map(|known| known.gradient_func.clone())
    }

    /// Removes a function, where there is one.
    pub(crate) fn remove(&mut self, name: &str) {
        self.found = Found::default();
        self.entries.remove(name);
        if let Some(library) = &mut self.library {
            library.function.retain(|def| def.signature.as_ref().is_none_or(|signature| signature.name != name));
        }
    }

    fn enter(&mut self, def: &FunctionDef) -> Result<()> {
        let Some(signature) = &def.signature else {
            return Err(malformed("a function of the library has no signature"));
        };
        let name = &signature.name;
        let spec = oplink_proto::op_def_to_spec(signature)
            .map_err(|error| malformed(format!("function `{}` of the library: {error}", name.escape_debug())))?;
        let op = OpEntry::of_function(spec, signature.description.clone(), FROM_LIBRARY);
        let entry = Arc::new(Entry { op, def: def.clone() });
        self.found = Found::default();
        match self.entries.insert(name.clone(), entry) {
            None => Ok(()),
            Some(_) => Err(malformed(format!("the library has two functions named `{}`", name.escape_debug()))
                .context("rename one of them")),
        }
    }

    /// The function of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.get(name).filter(|_| ARE_LINKED)
    }

    /// The function of this name.
    ///
    /// # Errors
    /// There is none; the message names the nearest one.
    pub(crate) fn find(&self, name: &str) -> Result<&Arc<Entry>> {
        self.get(name).ok_or_else(|| {
            if !ARE_LINKED {
                return left_out(name);
            }
            let mut names: Vec<&str> = self.entries.keys().map(String::as_str).collect();
            sort(&mut names);
            let guess = nearest(name, names.into_iter());
            let guess = guess.map_or_else(String::new, |guess| format!("; did you mean `{guess}`?"));
            let message = format!("the graph's library has no function `{}`{guess}", name.escape_debug());
            Error::new(Code::NotFound, ErrorKind::InvalidGraph, message)
        })
    }

    /// All functions.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }

    /// What was found out of the functions so far.
    pub(crate) fn found(&self) -> &Found {
        &self.found
    }

    /// The message of all functions.
    pub(crate) fn library(&self) -> Option<&FunctionDefLibrary> {
        self.library.as_ref()
    }
}

/// The function's name; empty where it has no signature.
fn name_of(def: &FunctionDef) -> &str {
    def.signature.as_ref().map_or("", |signature| &signature.name)
}

#[cold]
pub(crate) fn left_out(name: &str) -> Error {
    let message = format!(
        "function `{}`: this build leaves functions out: enable the feature `functions` of `oplink`",
        name.escape_debug()
    );
    Error::new(Code::Unimplemented, ErrorKind::Unimplemented, message)
}

#[cold]
fn malformed(message: impl Into<String>) -> Error {
    Error::invalid_argument(message).with_kind(ErrorKind::InvalidGraph)
}
