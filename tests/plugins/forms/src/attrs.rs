//! Attrs of every kind, and what ops tell of themselves.

use oplink::prelude::*;

/// Gives the text of all its attrs.
#[op(
    "FormAttrs",
    output = "text: string",
    attr = "s: string = 'text'",
    attr = "i: int = -3",
    attr = "f: float = 0.5",
    attr = "b: bool = true",
    attr = "t: type = DT_INT32",
    attr = "h: shape = { dim { size: 2 } dim { size: 3 } }",
    attr = "v: tensor = { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: [4, 5] }",
    attr = "ls: list(string) = ['a', '']",
    attr = "li: list(int) = [1, -2]",
    attr = "lf: list(float) = []",
    attr = "lb: list(bool) = [true, false]",
    attr = "lt: list(type) = [DT_STRING, DT_BOOL]",
    attr = "lh: list(shape) = [{ unknown_rank: true }, {}]",
    attr = "fn: func = { name: 'none' }"
)]
pub fn form_attrs(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::scalar());
    Ok(())
}

#[kernel(FormAttrs, device = CPU, t = any)]
#[allow(clippy::too_many_arguments)]
pub fn form_attrs_cpu(
    s: &str,
    i: i64,
    f: f32,
    b: bool,
    t: DType,
    h: &PartialShape,
    v: &Tensor,
    ls: &[Vec<u8>],
    li: &[i64],
    lf: &[f32],
    lb: &[bool],
    lt: &[DType],
    lh: &[PartialShape],
    r#fn: &FuncAttr,
) -> Result<TString> {
    let ls: Vec<_> = ls.iter().map(|s| String::from_utf8_lossy(s)).collect();
    let (v, lh) = (v.as_slice::<i32>()?, lh.iter().map(ToString::to_string).collect::<Vec<_>>());
    let text = format!("{s} {i} {f} {b} {t} {h} {v:?} {ls:?} {li:?} {lf:?} {lb:?} {lt:?} {lh:?} {}", r#fn.name);
    Ok(TString::from(text))
}

/// The shape depends on an attr.
#[op("FormMissed", input = "x: float", output = "y: float", attr = "flat: bool = false")]
pub fn form_missed(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(0).clone();
    let flat = c.attr::<bool>("flat").unwrap_or(false);
    c.set_output(0, if flat { PartialShape::new(&[shape.num_elements()]) } else { shape });
    Ok(())
}

#[kernel(FormMissed, device = CPU)]
pub fn form_missed_cpu(x: &Tensor, y: &mut Tensor) -> Result<()> {
    y.as_mut_slice::<f32>()?.copy_from_slice(x.as_slice()?);
    Ok(())
}

/// Flags.
#[op("FormFlags", input = "x: float", output = "y: float", stateful, commutative,
     deprecated(since = 100000, note = "use another"), shape = shape_fns::unchanged)]
pub struct FormFlags;
