//! Boxes drawn on images.
//!
//! `images` is [batch, rows, columns, channels] with 1, 3 or 4 channels, `boxes` [batch, count, 4] with
//! `[y1, x1, y2, x2]` in parts of the image. A box has lines of one pixel; parts outside of the image are left out, and
//! so are boxes that are turned over.

use oplink::prelude::*;

/// Draws boxes in ten colours by turns.
#[op("DrawBoundingBoxes", no_gradient,
     input = "images: T",
     input = "boxes: float",
     output = "output: T",
     attr = "T: {float, half} = DT_FLOAT",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct DrawBoundingBoxes;

/// Draws boxes in the colours that the rows of `colors` have, by turns; without rows in those of `DrawBoundingBoxes`.
#[op("DrawBoundingBoxesV2",
     input = "images: T",
     input = "boxes: float",
     input = "colors: float",
     output = "output: T",
     attr = "T: {float, half} = DT_FLOAT",
     shape = shape_fns::unchanged_with_rank_at_least::<3>)]
pub struct DrawBoundingBoxesV2;
