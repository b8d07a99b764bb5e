//! Numbers that follow from a seed alone, on every machine.

/// A sequence of numbers (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of one case of a seed.
    pub fn of_case(seed: u64, case: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(case));
        random.0 = random.next();
        random
    }

    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "a sequence without an end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`; 0 where that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % (count.max(1) as u64)) as usize
    }

    /// Whether an event of so many percent happens.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    ///
    /// # Panics
    /// There are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
