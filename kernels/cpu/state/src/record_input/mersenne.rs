//! A generator of numbers of 64 bits, and orders drawn from it: those of the C++ standard library of GNU, which
//! TensorFlow is built with.

/// How many numbers are made at once.
const COUNT: usize = 312;

/// The Mersenne Twister of 64 bits (Matsumoto and Nishimura, 1998; Nishimura, 2000).
pub(super) struct Mersenne {
    numbers: Box<[u64; COUNT]>,
    used: usize,
}

impl Mersenne {
    /// The numbers of a seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut numbers = Box::new([seed; COUNT]);
        for at in 1..COUNT {
            let last = numbers[at - 1];
            let mixed = (last ^ last >> 62).wrapping_mul(6_364_136_223_846_793_005);
            numbers[at] = mixed.wrapping_add(at as u64);
        }
        Self { numbers, used: COUNT }
    }

    /// Draws a number.
    pub(super) fn draw(&mut self) -> u64 {
        if self.used == COUNT {
            self.refill();
        }
        let mut number = self.numbers[self.used];
        self.used += 1;
        number ^= number >> 29 & 0x5555_5555_5555_5555;
        number ^= number << 17 & 0x71D6_7FFF_EDA6_0000;
        number ^= number << 37 & 0xFFF7_EEE0_0000_0000;
        number ^ number >> 43
    }

    fn refill(&mut self) {
        const HIGH: u64 = u64::MAX << 31;
        for at in 0..COUNT {
            let mixed = self.numbers[at] & HIGH | self.numbers[(at + 1) % COUNT] & !HIGH;
            let odd = if mixed & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
            self.numbers[at] = self.numbers[(at + COUNT / 2) % COUNT] ^ mixed >> 1 ^ odd;
        }
        self.used = 0;
    }

    /// Draws a number below `count`, which is not 0 (Lemire, "Fast random integer generation in an interval", 2019).
    fn below(&mut self, count: u64) -> u64 {
        loop {
            let product = u128::from(self.draw()) * u128::from(count);
            if product as u64 >= count.wrapping_neg() % count {
                return (product >> 64) as u64;
            }
        }
    }

    /// Puts items into a random order. One number is drawn for the places of two items.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut next = 1;
        if items.len().is_multiple_of(2) && !items.is_empty() {
            items.swap(1, self.below(2) as usize);
            next = 2;
        }
        while next + 1 < items.len() {
            let (first, second) = (next as u64 + 1, next as u64 + 2);
            let places = self.below(first * second);
            items.swap(next, (places / second) as usize);
            items.swap(next + 1, (places % second) as usize);
            next += 2;
        }
    }
}

/// The hash of a number's 8 bytes, MurmurHash64A (Appleby, 2008).
pub(super) fn hash(number: u64, seed: u64) -> u64 {
    const FACTOR: u64 = 0xC6A4_A793_5BD1_E995;
    let mixed = number.wrapping_mul(FACTOR);
    let mixed = (mixed ^ mixed >> 47).wrapping_mul(FACTOR);
    let hash = (seed ^ FACTOR.wrapping_mul(8) ^ mixed).wrapping_mul(FACTOR);
    let hash = (hash ^ hash >> 47).wrapping_mul(FACTOR);
    hash ^ hash >> 47
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_standard() {
        // The 10000th number of the default seed, as the C++ standard has it.
        let mut numbers = Mersenne::new(5489);
        assert_eq!((0..10_000).map(|_| numbers.draw()).last(), Some(9_981_545_732_273_789_042));
    }

    #[test]
    fn orders_are_those_of_tensorflow() {
        let shuffled = |epoch| {
            let mut items = [1, 0, 3, 2];
            Mersenne::new(hash(epoch, 301)).shuffle(&mut items);
            items
        };
        assert_eq!([1, 2, 3].map(shuffled), [[1, 0, 3, 2], [3, 0, 1, 2], [1, 3, 0, 2]]);
        for count in [0, 1] {
            Mersenne::new(0).shuffle(&mut vec![0; count]);
        }
    }
}
