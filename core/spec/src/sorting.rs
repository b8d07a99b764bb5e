//! Stable sorting in one copy of its code for all element types: the standard library's has several kilobytes for each.
//!
//! For lists that are made once, where code counts more than the last nanosecond.

use std::cmp::Ordering;

/// Sorts by a comparison; equal elements keep their order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    merge_sort(&mut order, &mut |a, b| compare(&items[a as usize], &items[b as usize]) == Ordering::Less);
    permute(items, &mut order);
}

/// Sorts by a key; equal elements keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts from the least to the greatest.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

fn merge_sort(order: &mut [u32], is_less: &mut dyn FnMut(u32, u32) -> bool) {
    let mut from = order.to_vec();
    let mut width = 1;
    while width < order.len() {
        for (from, to) in from.chunks(2 * width).zip(order.chunks_mut(2 * width)) {
            let (mut left, mut right) = from.split_at(width.min(from.len()));
            for slot in to {
                let side = match (left.first(), right.first()) {
                    (Some(&l), Some(&r)) if is_less(r, l) => &mut right,
                    (Some(_), _) => &mut left,
                    _ => &mut right,
                };
                *slot = side[0];
                *side = &side[1..];
            }
        }
        from.copy_from_slice(order);
        width *= 2;
    }
}

/// Moves each `items[order[i]]` to `i`.
fn permute<T>(items: &mut [T], order: &mut [u32]) {
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let from = order[at] as usize;
            order[at] = at as u32;
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_sorts() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for count in (0..70).chain([1000, 1023, 1024, 1025]) {
            let items: Vec<(u64, String)> = (0..count).map(|at| (random(count / 2 + 1), at.to_string())).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs, "{count} elements");
            sort(&mut ours);
            theirs.sort();
            assert_eq!(ours, theirs, "{count} elements");
        }
    }
}
