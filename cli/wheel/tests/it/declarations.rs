//! A crate for the tests: ops with inputs, outputs and attrs of every form.

use oplink_spec::OpSpec;
use oplink_wheel::{Contents, Host, Package};

const OPS: &[&str] = &[
    "op ScaleShift
     input x: T
     output y: T
     attr scale: float = 1.5
     attr shift: int = -2
     attr mode: {'plain', 'clip'} = 'plain'
     attr bounds: list(float) = []
     attr T: {float, double}",
    "op JoinRows
     input parts: N * T
     output joined: T
     attr N: int >= 2
     attr T: {float, int64}",
    "op SplitRows
     input x: T
     output parts: num_split * T
     output rest: T
     attr num_split: int >= 1
     attr T: type",
    "op Mixed
     input values: Ts
     output all: Ts
     attr Ts: list({half, string})",
    "op Describe
     attr s: string = 'it\\'s \"ok\"'
     attr bytes: string = '\\377'
     attr f: float = 1e-07
     attr b: bool = true
     attr t: type = DT_FLOAT
     attr h: shape = { dim { size: 2 } dim { size: -1 } }
     attr u: shape = { unknown_rank: true }
     attr li: list(int) = [1, -2]
     attr ls: list(string) = ['a']
     attr lt: list(type) = [DT_HALF, DT_STRING]
     attr lb: list(bool) = [true]
     attr value: tensor = { dtype: DT_FLOAT tensor_shape { } float_val: 1 }",
    "op Import
     input lambda: string
     output y: int32
     attr class: {'a'}
     attr none: func",
    "op _Internal
     input x: float",
];

/// The declarations.
pub(crate) fn ops() -> Vec<OpSpec> {
    OPS.iter().map(|text| OpSpec::parse(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))).collect()
}

/// The documentation.
pub(crate) fn docs() -> Vec<(String, String)> {
    let doc = |op: &str, text: &str| (op.to_owned(), text.to_owned());
    vec![
        doc("ScaleShift", " `y = x * scale + shift`, in place.\n\n A back\\slash, and \"\"\"quotes\"\"\"."),
        doc("JoinRows", " The rows of all \"parts\""),
    ]
}

/// The crate.
pub(crate) fn package() -> Package {
    Package {
        name: "my-ops".to_owned(),
        version: "1.2.0-rc.1".to_owned(),
        description: "Ops for\n  tests".to_owned(),
        license: Some("MIT/Apache-2.0".to_owned()),
        authors: vec!["A. Author".to_owned(), "B <b@example.org>".to_owned()],
        keywords: vec!["ops".to_owned(), "rust".to_owned()],
        urls: vec![("Repository".to_owned(), "https://example.org/my-ops".to_owned())],
        readme: "# my-ops\n\nText.\n".to_owned(),
        license_files: vec![("LICENSE".to_owned(), b"text".to_vec())],
    }
}

/// A package with a module for each host.
pub(crate) fn with_contents<T>(body: impl FnOnce(&Contents<'_>) -> T) -> T {
    let (package, ops, docs) = (package(), ops(), docs());
    body(&Contents {
        package: &package,
        ops: &ops,
        docs: &docs,
        library: ("libmy_ops.so", b"\x7fELF"),
        hosts: &Host::ALL,
    })
}
