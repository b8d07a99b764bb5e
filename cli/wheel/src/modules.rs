//! The files of the package: its modules, their types, and the package `oplink_hosts` under them.

use oplink_spec::OpSpec;

use crate::function::Function;
use crate::host::{Host, HostTexts};
use crate::python::{docstring, string, tuple};
use crate::{File, Package, python_version};

/// The files of `oplink_hosts`, which a wheel carries with it: they speak with the library, so both are of one version.
const HOSTS: &[(&str, &str)] = &[
    ("__init__.py", include_str!("../python/hosts/__init__.py")),
    ("_check_hosts.py", include_str!("../python/hosts/_check_hosts.py")),
    ("_cuda.py", include_str!("../python/hosts/_cuda.py")),
    ("_gradient.py", include_str!("../python/hosts/_gradient.py")),
    ("_jax_dtypes.py", include_str!("../python/hosts/_jax_dtypes.py")),
    ("_jax_gradient.py", include_str!("../python/hosts/_jax_gradient.py")),
    ("_jax_sharding.py", include_str!("../python/hosts/_jax_sharding.py")),
    ("_jax_tangent.py", include_str!("../python/hosts/_jax_tangent.py")),
    ("_onnx_model.py", include_str!("../python/hosts/_onnx_model.py")),
    ("_plugin.py", include_str!("../python/hosts/_plugin.py")),
    ("_symbolic.py", include_str!("../python/hosts/_symbolic.py")),
    ("_torch_autocast.py", include_str!("../python/hosts/_torch_autocast.py")),
    ("_torch_batching.py", include_str!("../python/hosts/_torch_batching.py")),
    ("_torch_dtypes.py", include_str!("../python/hosts/_torch_dtypes.py")),
    ("_torch_gradient.py", include_str!("../python/hosts/_torch_gradient.py")),
    ("check.py", include_str!("../python/hosts/check.py")),
    ("jax.py", include_str!("../python/hosts/jax.py")),
    ("numpy.py", include_str!("../python/hosts/numpy.py")),
    ("onnxruntime.py", include_str!("../python/hosts/onnxruntime.py")),
    ("tensorflow.py", include_str!("../python/hosts/tensorflow.py")),
    ("torch.py", include_str!("../python/hosts/torch.py")),
];

/// What a package is made of.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The crate.
    pub package: &'a Package,
    /// The declarations of its ops.
    pub ops: &'a [OpSpec],
    /// The documentation of its ops, by their names.
    pub docs: &'a [(String, String)],
    /// The library: the name of its file, and its bytes.
    pub library: (&'a str, &'a [u8]),
    /// The hosts that get a module.
    pub hosts: &'a [Host],
}

/// The files of the package, with paths that start with the package's name.
pub fn files(contents: &Contents<'_>) -> Vec<File> {
    let module = contents.package.module();
    let at = |name: &str| format!("{module}/{name}");
    let (library, bytes) = contents.library;
    let mut files = vec![
        File::text(at("__init__.py"), init(contents)),
        File::text(at("__init__.pyi"), init_types(contents)),
        File { path: at(library), content: bytes.to_vec() },
        File::text(at("py.typed"), ""),
    ];
    for host in contents.hosts {
        let name = host.texts().module;
        files.push(File::text(at(&format!("{name}.py")), host_module(contents, *host, true)));
        files.push(File::text(at(&format!("{name}.pyi")), host_module(contents, *host, false)));
    }
    files.extend(HOSTS.iter().map(|(name, text)| File::text(at(&format!("_hosts/{name}")), *text)));
    files
}

/// The module of a host, or its types.
fn host_module(contents: &Contents<'_>, host: Host, body: bool) -> String {
    let HostTexts { title, adapter, imports, about, .. } = host.texts();
    let Package { name, version, .. } = contents.package;
    let doc = |op: &OpSpec| contents.docs.iter().find(|(name, _)| *name == op.name).map_or("", |(_, doc)| &**doc);
    let functions = contents.ops.iter().filter_map(|op| Function::new(op, doc(op), host));
    let functions: String = functions.map(|function| format!("\n\n{}", function.text(body))).collect();
    let head = wrapped(&format!("The ops of {name} {version} as functions for {title}. {about}"));
    let head = docstring(&head, "");
    let typing = "from collections.abc import Sequence\nfrom typing import Any, Literal\n";
    if !body {
        return format!("{head}\n\n{typing}\n{imports}\nOPS: Any\n{functions}");
    }
    let given = if functions.contains("**_given(") { "from ._hosts import given as _given\n" } else { "" };
    format!(
        "{head}\n\nfrom __future__ import annotations\n\n{typing}\n{imports}\nfrom . import LIBRARY as _LIBRARY\n\
         {given}from ._hosts import {adapter} as _host\n\nOPS = _host.load(_LIBRARY)\n{functions}"
    )
}

fn about(contents: &Contents<'_>) -> String {
    let Package { name, version, description, .. } = contents.package;
    let module = contents.package.module();
    let modules: Vec<String> =
        contents.hosts.iter().map(|host| format!("`{module}.{}`", host.texts().module)).collect();
    let summary = if description.is_empty() { format!("{name} {version}.") } else { description.clone() };
    let rest =
        format!("The ops are functions of {}. Importing one imports its framework and no other.", modules.join(", "));
    format!("{}\n\n{}", wrapped(&summary), wrapped(&rest))
}

fn init(contents: &Contents<'_>) -> String {
    let doc = docstring(&about(contents), "");
    let version = &contents.package.version;
    let version = string(&python_version(version).unwrap_or_else(|_| version.clone()));
    let library = string(contents.library.0);
    let modules: Vec<String> = contents.hosts.iter().map(|host| string(host.texts().module)).collect();
    format!(
        "{doc}

import importlib
import os

__version__ = {version}
#: The shared library, for programs that load it themselves.
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), {library})
__all__ = [\"LIBRARY\", \"__version__\"]
_MODULES = {}


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f\"{{__name__}}.{{name}}\")
    raise AttributeError(f\"module {{__name__!r}} has no attribute {{name!r}}\")


def __dir__():
    return sorted([*globals(), *_MODULES])
",
        tuple(&modules)
    )
}

fn init_types(contents: &Contents<'_>) -> String {
    let doc = docstring(&about(contents), "");
    let imports = |host: &Host| format!("from . import {0} as {0}\n", host.texts().module);
    let modules: String = contents.hosts.iter().map(imports).collect();
    format!("{doc}\n\n{modules}\n__version__: str\nLIBRARY: str\n")
}

/// In lines of 100 columns at most.
fn wrapped(text: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.len() > 100 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out
}
