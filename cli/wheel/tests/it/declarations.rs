//! A crate for the tests: ops with inputs, outputs and attrs of every form.

use oplink_spec::OpSpec;
use oplink_wheel::{Contents, Host, Package};

const OPS: &[&str] = &[
    "op ScaleShift\ninput x: T\noutput y: T\nattr scale: float = 1.5\nattr shift: int = -2\nattr mode: {'plain', 'clip'} = 'plain'\n\
     attr bounds: list(float) = []\nattr T: {float, double}",
    "op JoinRows\ninput parts: N * T\noutput joined: T\nattr N: int >= 2\nattr T: {float, int64}",
    "op SplitRows\ninput x: T\noutput parts: num_split * T\noutput rest: T\nattr num_split: int >= 1\nattr T: type",
    "op Mixed\ninput values: Ts\noutput all: Ts\nattr Ts: list({half, string})",
    "op Describe\nattr s: string = 'it\\'s \"ok\"'\nattr bytes: string = '\\377'\nattr f: float = 1e-07\nattr b: bool = true\n\
     attr t: type = DT_FLOAT\nattr h: shape = { dim { size: 2 } dim { size: -1 } }\nattr u: shape = { unknown_rank: true }\n\
     attr li: list(int) = [1, -2]\nattr ls: list(string) = ['a']\nattr lt: list(type) = [DT_HALF, DT_STRING]\nattr lb: list(bool) = [true]\n\
     attr value: tensor = { dtype: DT_FLOAT tensor_shape { } float_val: 1 }",
    "op Import\ninput lambda: string\noutput y: int32\nattr class: {'a'}\nattr none: func",
    "op _Internal\ninput x: float",
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
