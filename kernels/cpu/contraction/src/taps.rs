//! Sums over the taps of a window, each channel by itself: the innermost loops of depthwise convolutions.
#![allow(
    unsafe_code,
    reason = "room: registers, after `multiversion` has checked the processor for their instructions"
)]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::register::{Plain, Register};
use oplink_cpu_support::elementwise::Arithmetic;

/// Some pixels of an output line, each the sum over `rows` x `columns` taps of input times filter.
#[derive(Clone, Copy)]
pub struct Taps<'a, L> {
    /// The input from the first tap of the first pixel on.
    pub input: &'a [L],
    /// Elements of the input from a row of taps to the next, from a tap to the next, from a pixel to the next.
    pub input_steps: [usize; 3],
    /// The filter from the first tap on.
    pub filter: &'a [L],
    /// Elements of the filter from a row of taps to the next.
    pub filter_step: usize,
    /// Rows and columns of taps.
    pub taps: (usize, usize),
    /// Channels of a pixel, and of a tap of the filter.
    pub channels: usize,
    /// What the sums start from: a value for each channel.
    pub bias: Option<&'a [L]>,
    /// Sums below the first end as the first, sums above the second as the second; NaN stays.
    pub bounds: Option<(L, L)>,
}

/// A number that taps are summed in.
pub trait TapElement: Arithmetic + PartialOrd {
    /// Writes the pixels that fill `out`.
    ///
    /// # Panics
    /// Where input, filter or bias are too short.
    fn sum(taps: &Taps<'_, Self>, out: &mut [Self]);
}

impl<L: TapElement> Taps<'_, L> {
    /// Fails unless every tap of so many pixels is inside input and filter.
    fn check(&self, pixels: usize) {
        let (rows, columns) = self.taps;
        assert!(self.bias.is_none_or(|bias| bias.len() >= self.channels), "a bias is too short");
        if rows == 0 || columns == 0 || pixels == 0 {
            return;
        }
        let [row, tap, pixel] = self.input_steps;
        let last = (rows - 1) * row + (columns - 1) * tap + (pixels - 1) * pixel;
        assert!(last + self.channels <= self.input.len(), "an input is too short");
        let last = (rows - 1) * self.filter_step + (columns - 1) * self.channels;
        assert!(last + self.channels <= self.filter.len(), "a filter is too short");
    }

    /// The channels from `channel` on that fill `REGISTERS` registers, of all pixels, `PIXELS` at a time.
    ///
    /// # Safety
    /// The processor has the instructions behind `R`; `check` has passed for the pixels of `out`, and `channels` are at
    /// least `channel` and the registers' lanes.
    #[inline(always)]
    unsafe fn any<R: Register<L>, const REGISTERS: usize, const PIXELS: usize>(&self, channel: usize, out: &mut [L]) {
        let mut pixel = 0;
        let mut blocks = out.chunks_exact_mut(PIXELS * self.channels);
        for out in &mut blocks {
            // SAFETY: as for this function.
            unsafe { self.block::<R, REGISTERS, PIXELS>(channel, pixel, out) };
            pixel += PIXELS;
        }
        for out in blocks.into_remainder().chunks_exact_mut(self.channels) {
            // SAFETY: as for this function.
            unsafe { self.block::<R, REGISTERS, 1>(channel, pixel, out) };
            pixel += 1;
        }
    }

    /// As `any`, of the `PIXELS` pixels from `pixel` on.
    ///
    /// # Safety
    /// As for `any`; `out` has so many pixels.
    #[inline(always)]
    unsafe fn block<R: Register<L>, const REGISTERS: usize, const PIXELS: usize>(
        &self,
        channel: usize,
        pixel: usize,
        out: &mut [L],
    ) {
        let [row_step, tap_step, pixel_step] = self.input_steps;
        // SAFETY: the caller's checks keep all addresses inside the slices.
        unsafe {
            let first: [R; REGISTERS] = self.first_sums(channel);
            let mut sums = [first; PIXELS];
            for row in 0..self.taps.0 {
                let input = self.input.as_ptr().add(pixel * pixel_step + row * row_step + channel);
                let filter = self.filter.as_ptr().add(row * self.filter_step + channel);
                for tap in 0..self.taps.1 {
                    let factors: [R; REGISTERS] =
                        std::array::from_fn(|c| R::load(filter.add(tap * self.channels + c * R::LANES)));
                    for (at, sums) in sums.iter_mut().enumerate() {
                        for (c, sum) in sums.iter_mut().enumerate() {
                            let x = R::load(input.add(at * pixel_step + tap * tap_step + c * R::LANES));
                            *sum = x.multiply_add(factors[c], *sum);
                        }
                    }
                }
            }
            for (at, sums) in sums.into_iter().enumerate() {
                self.store(sums, out.as_mut_ptr().add(at * self.channels + channel));
            }
        }
    }

    /// As `any`, for `ROWS` x `COLUMNS` taps: the filter stays in registers.
    ///
    /// # Safety
    /// As for `any`.
    #[inline(always)]
    unsafe fn fixed<R: Register<L>, const REGISTERS: usize, const ROWS: usize, const COLUMNS: usize>(
        &self,
        channel: usize,
        out: &mut [L],
    ) {
        let [row_step, tap_step, pixel_step] = self.input_steps;
        // SAFETY: the caller's checks keep all addresses inside the slices.
        unsafe {
            let filter: [[[R; REGISTERS]; COLUMNS]; ROWS] = std::array::from_fn(|row| {
                std::array::from_fn(|tap| {
                    let at = row * self.filter_step + tap * self.channels + channel;
                    std::array::from_fn(|c| R::load(self.filter.as_ptr().add(at + c * R::LANES)))
                })
            });
            let first: [R; REGISTERS] = self.first_sums(channel);
            let mut input = self.input.as_ptr().add(channel);
            for out in out.chunks_exact_mut(self.channels) {
                let mut sums = first;
                for row in 0..ROWS {
                    for tap in 0..COLUMNS {
                        for c in 0..REGISTERS {
                            let x = R::load(input.add(row * row_step + tap * tap_step + c * R::LANES));
                            sums[c] = x.multiply_add(filter[row][tap][c], sums[c]);
                        }
                    }
                }
                self.store(sums, out.as_mut_ptr().add(channel));
                input = input.wrapping_add(pixel_step);
            }
        }
    }

    /// # Safety
    /// As for `any`.
    #[inline(always)]
    unsafe fn first_sums<R: Register<L>, const REGISTERS: usize>(&self, channel: usize) -> [R; REGISTERS] {
        // SAFETY: the bias is as long as the channels.
        unsafe {
            match self.bias {
                Some(bias) => std::array::from_fn(|c| R::load(bias.as_ptr().add(channel + c * R::LANES))),
                None => [R::splat(L::ZERO); REGISTERS],
            }
        }
    }

    /// # Safety
    /// As for `any`; there is room for the registers at `to`.
    #[inline(always)]
    unsafe fn store<R: Register<L>, const REGISTERS: usize>(&self, sums: [R; REGISTERS], to: *mut L) {
        // SAFETY: the processor has the instructions behind `R`, and there is room for the registers at `to`.
        unsafe {
            for (c, mut sum) in sums.into_iter().enumerate() {
                if let Some((low, high)) = self.bounds {
                    sum = sum.bounded(R::splat(low), R::splat(high));
                }
                sum.store(to.add(c * R::LANES));
            }
        }
    }

    /// All channels: as many at a time as fit `REGISTERS` registers or one, then one by one; of `PIXELS` pixels where
    /// the window has no loop of its own.
    ///
    /// # Safety
    /// The processor has the instructions behind `R`.
    #[inline(always)]
    unsafe fn all<R: Register<L>, S: Register<L>, const REGISTERS: usize, const PIXELS: usize>(&self, out: &mut [L]) {
        if self.channels == 0 {
            return;
        }
        self.check(out.len() / self.channels);
        let mut channel = 0;
        // SAFETY: the processor is the caller's, the addresses are checked.
        unsafe {
            while self.channels - channel >= REGISTERS * R::LANES {
                match self.taps {
                    (3, 3) => self.fixed::<R, REGISTERS, 3, 3>(channel, out),
                    (2, 3) => self.fixed::<R, REGISTERS, 2, 3>(channel, out),
                    _ => self.any::<R, REGISTERS, PIXELS>(channel, out),
                }
                channel += REGISTERS * R::LANES;
            }
            while self.channels > channel && self.channels >= R::LANES {
                // The last register may repeat channels.
                channel = channel.min(self.channels - R::LANES);
                match self.taps {
                    (3, 3) => self.fixed::<R, 1, 3, 3>(channel, out),
                    _ => self.any::<R, 1, PIXELS>(channel, out),
                }
                channel += R::LANES;
            }
            while self.channels > channel {
                self.any::<S, 1, PIXELS>(channel, out);
                channel += 1;
            }
        }
    }
}

macro_rules! tap_lane {
    ($lane:ident, $wide:ty, $narrow:ty, $plain:literal) => {
        impl TapElement for $lane {
            fn sum(taps: &Taps<'_, Self>, out: &mut [Self]) {
                #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
                fn sum(taps: &Taps<'_, $lane>, out: &mut [$lane]) {
                    // SAFETY: each branch is compiled for the instructions behind its register and chosen by
                    // `multiversion`.
                    unsafe {
                        if target_cfg_f!(target_feature = "avx512f") {
                            #[cfg(target_arch = "x86_64")]
                            taps.all::<$wide, Plain<$lane, 1, true>, 2, 6>(out);
                        } else if target_cfg_f!(target_feature = "fma") {
                            #[cfg(target_arch = "x86_64")]
                            taps.all::<$narrow, Plain<$lane, 1, true>, 1, 8>(out);
                        } else if target_cfg_f!(target_arch = "aarch64") {
                            taps.all::<Plain<$lane, $plain, true>, Plain<$lane, 1, true>, 1, 4>(out);
                        } else {
                            taps.all::<Plain<$lane, $plain, false>, Plain<$lane, 1, false>, 1, 4>(out);
                        }
                    }
                }
                sum(taps, out);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m256d, __m512, __m512d};

tap_lane!(f32, __m512, __m256, 4);
tap_lane!(f64, __m512d, __m256d, 2);
