//! The selection of a build: which ops, and which of their dtypes, get code.
//!
//! The environment variable `OPLINK_SELECTION` holds the absolute path of a file such as
//!
//! ```toml
//! version = 1
//!
//! [ops]
//! Concat = "all"
//! Relu = ["T=float", "T=int32"]
//! Cast = ["SrcT=uint8 DstT=float"]
//! "MyOrg>Fuse" = "all"
//! ```
//!
//! Each op of the models is a key, its value the dtypes of its type attrs in the models' nodes, one string for each
//! combination; attrs that a string leaves out may have any dtype. Ops that are not listed get no kernels. Dtypes have
//! the names of the op language. The file is TOML, of which only these forms are read, and comments.

mod reader;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use oplink_spec::DType;
use proc_macro2::TokenStream;
use quote::quote;

/// The variable that names the file.
const VARIABLE: &str = "OPLINK_SELECTION";
/// The op of kernels that serve every op: no selection leaves them out.
const ANY_OP: &str = "*";

/// A selection file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    ops: Vec<(String, Chosen)>,
}

/// What of an op is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Nothing.
    Nothing,
    /// Every dtype.
    All,
    /// Nodes with these dtypes: attr and dtype pairs, one list for each combination.
    Dtypes(Vec<Vec<(String, DType)>>),
}

impl Selection {
    /// Reads a file's text.
    ///
    /// # Errors
    /// A line is no selection: the error names it.
    pub fn parse(text: &str) -> Result<Self, String> {
        reader::read(text).map(|ops| Self { ops })
    }

    /// The ops listed, each with what of it is chosen.
    pub fn ops(&self) -> impl Iterator<Item = (&str, &Chosen)> {
        self.ops.iter().map(|(op, chosen)| (op.as_str(), chosen))
    }

    /// Whether the op is listed.
    pub fn has_op(&self, op: &str) -> bool {
        self.ops.iter().any(|entry| entry.0 == op)
    }

    /// What of the op is chosen.
    pub fn chosen(&self, op: &str) -> Chosen {
        self.ops.iter().find(|entry| entry.0 == op).map_or(Chosen::Nothing, |entry| entry.1.clone())
    }
}

impl Chosen {
    /// Whether a kernel for these dtypes of attrs is needed. An unknown dtype (`None`) is.
    pub fn allows(&self, dtypes: &[(&str, Option<DType>)]) -> bool {
        let fits = |wanted: &(String, DType)| {
            let same = dtypes.iter().find(|have| have.0 == wanted.0);
            same.is_none_or(|have| have.1.is_none_or(|dtype| dtype == wanted.1))
        };
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::Dtypes(rows) => rows.iter().any(|row| row.iter().all(fits)),
        }
    }
}

/// What of a build's surroundings expansions depend on.
#[derive(Clone, Debug, Default)]
pub struct Build {
    selection: Option<Arc<Selection>>,
    /// What makes Cargo build again when the variable or the file changes, and reports a file that cannot be read.
    pub(crate) tracking: TokenStream,
}

impl Build {
    /// The build that this process works for. A selection file that cannot be read is reported once.
    pub fn current() -> Self {
        let tracking = quote! {
            const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(#VARIABLE);
        };
        let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from) else {
            return Self { selection: None, tracking };
        };
        let text = path.to_string_lossy();
        let file = quote!(
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#text);
        );
        match load(&path) {
            Ok(selection) => Self { selection: Some(selection), tracking: quote!(#tracking #file) },
            Err(Failure::First(message)) => {
                Self { selection: None, tracking: quote!(#tracking ::core::compile_error!(#message);) }
            }
            Err(Failure::Reported) => Self { selection: None, tracking },
        }
    }

    /// A build with this selection, untracked.
    pub fn with(selection: Selection) -> Self {
        Self { selection: Some(Arc::new(selection)), tracking: TokenStream::new() }
    }

    /// Whether there is a selection: the build leaves out what no model needs.
    pub(crate) fn is_selective(&self) -> bool {
        self.selection.is_some()
    }

    /// Whether the op is needed.
    pub(crate) fn has_op(&self, op: &str) -> bool {
        op == ANY_OP || self.selection.as_ref().is_none_or(|selection| selection.has_op(op))
    }

    /// What of the op is needed.
    pub(crate) fn chosen(&self, op: &str) -> Chosen {
        match &self.selection {
            Some(selection) if op != ANY_OP => selection.chosen(op),
            _ => Chosen::All,
        }
    }
}

enum Failure {
    First(String),
    Reported,
}

/// The file read last, by path and time of change.
type Cached = (PathBuf, Option<SystemTime>, Option<Arc<Selection>>);

fn load(path: &Path) -> Result<Arc<Selection>, Failure> {
    static CACHE: OnceLock<Mutex<Option<Cached>>> = OnceLock::new();
    let changed = std::fs::metadata(path).and_then(|data| data.modified()).ok();
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((cached, time, selection)) = &*cache
        && (cached, time) == (&path.to_path_buf(), &changed)
    {
        return selection.clone().ok_or(Failure::Reported);
    }
    let read = read_file(path);
    *cache = Some((path.to_path_buf(), changed, read.as_ref().ok().cloned()));
    read.map_err(Failure::First)
}

fn read_file(path: &Path) -> Result<Arc<Selection>, String> {
    let shown = path.display();
    if !path.is_absolute() {
        return Err(format!("{VARIABLE} must be an absolute path, it is `{shown}`"));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the selection `{shown}` that {VARIABLE} names: {error}"))?;
    Selection::parse(&text).map(Arc::new).map_err(|error| format!("the selection `{shown}`: {error}"))
}
