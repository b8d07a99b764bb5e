//! The patches that the output pixels of convolutions see.

pub(super) use oplink_ops::nn::window::Geometry;

/// Copies elements `from..from + length` of the patches of `count` output pixels from `first` on to the beginnings of
/// rows that are `stride` elements apart, zeros outside the input.
pub(super) fn gather<L: Copy + Default>(
    g: &Geometry,
    image: &[L],
    group: usize,
    (first, count): (usize, usize),
    (from, length): (usize, usize),
    (to, stride): (&mut [L], usize),
) {
    let [planes, rows, columns] = g.axes.map(|axis| axis.output);
    let (mut line, mut x) = (first / columns, first % columns);
    let mut patch = patch_at(g, line / (planes * rows), [line / rows % planes, line % rows], group);
    for to in to.chunks_mut(stride.max(1)).take(count) {
        if x == columns {
            (line, x) = (line + 1, 0);
            patch = patch_at(g, line / (planes * rows), [line / rows % planes, line % rows], group);
        }
        patch.copy(image, x, from, &mut to[..length]);
        x += 1;
    }
}

/// The patches of a line of output pixels.
fn patch_at(g: &Geometry, batch: usize, [plane, row]: [usize; 2], group: usize) -> Patches<'_> {
    let ((plane_taps, first_plane), (row_taps, first_row)) = (g.axes[0].taps(plane), g.axes[1].taps(row));
    let start = g.input_at(batch, [first_plane, first_row, 0]) + group * g.group_depth();
    Patches { geometry: g, plane_taps, row_taps, start }
}

/// The patches of a line of output pixels.
struct Patches<'a> {
    geometry: &'a Geometry,
    plane_taps: std::ops::Range<usize>,
    row_taps: std::ops::Range<usize>,
    /// Position in the input of the first line of taps inside it, at column 0.
    start: usize,
}

impl Patches<'_> {
    /// Copies elements of the patch of the pixel at column `x`, `from` on, to fill `to`.
    #[inline]
    fn copy<L: Copy + Default>(&self, image: &[L], x: usize, mut from: usize, mut to: &mut [L]) {
        let g = self.geometry;
        let [planes, rows, columns] = &g.axes;
        let depth = g.group_depth();
        let (taps, first_column) = columns.taps(x);
        let (inside, start) = (taps.start * depth..taps.end * depth, self.start + first_column * g.depth);
        let line_length = columns.window * depth;
        let row_step = rows.dilation * columns.input * g.depth;
        let plane_step = planes.dilation * rows.input * columns.input * g.depth;
        while !to.is_empty() {
            let (line, begin) = (from / line_length, from % line_length);
            let (part, rest) = to.split_at_mut(to.len().min(line_length - begin));
            let (plane, row) = (line / rows.window, line % rows.window);
            from += part.len();
            to = rest;
            if !(self.plane_taps.contains(&plane) && self.row_taps.contains(&row)) {
                part.fill(L::default());
                continue;
            }
            let line = start + (plane - self.plane_taps.start) * plane_step + (row - self.row_taps.start) * row_step;
            let low = inside.start.clamp(begin, begin + part.len());
            let high = inside.end.clamp(low, begin + part.len());
            part[..low - begin].fill(L::default());
            part[high - begin..].fill(L::default());
            let part = &mut part[low - begin..high - begin];
            if part.is_empty() {
                continue;
            }
            let step = columns.dilation * g.depth;
            if step == depth {
                copy_run(&image[line + low - inside.start..], part);
            } else {
                copy_taps(&image[line..], step, depth, low - inside.start, part);
            }
        }
    }
}

/// Copies the beginning of `from` to fill `to`, without a call where it is short.
#[inline]
fn copy_run<L: Copy>(from: &[L], to: &mut [L]) {
    const SHORT: usize = 64;
    let from = &from[..to.len()];
    if to.len() > SHORT {
        return to.copy_from_slice(from);
    }
    let (to, to_rest) = to.as_chunks_mut::<8>();
    let (from, from_rest) = from.as_chunks::<8>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    for (to, from) in to_rest.iter_mut().zip(from_rest) {
        *to = *from;
    }
}

/// Copies runs of `run` elements that stand `step` apart in `from`, from element `skip` of the runs on, to fill `to`.
fn copy_taps<L: Copy>(from: &[L], step: usize, run: usize, mut skip: usize, mut to: &mut [L]) {
    while !to.is_empty() {
        let (tap, begin) = (skip / run, skip % run);
        let (part, rest) = to.split_at_mut(to.len().min(run - begin));
        copy_run(&from[tap * step + begin..], part);
        skip += part.len();
        to = rest;
    }
}
