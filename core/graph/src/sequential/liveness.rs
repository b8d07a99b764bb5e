//! Which read of each slot is the last, so that the reader gets the value itself and may reuse its memory.

use super::Source;

/// Marks the last read of each slot from `first_owned` on, fetches coming after all steps.
pub(super) fn mark_last_reads(inputs: &mut [Source], fetches: &mut [Source], num_slots: usize, first_owned: usize) {
    let mut read_later = vec![false; num_slots];
    read_later[..first_owned].fill(true);
    for source in fetches.iter_mut().rev().chain(inputs.iter_mut().rev()) {
        let later = &mut read_later[source.slot()];
        if !*later {
            *source = source.as_last();
            *later = true;
        }
    }
}

/// For each slot, whether anybody reads it.
pub(super) fn reads(inputs: &[Source], fetches: &[Source], num_slots: usize) -> Vec<bool> {
    let mut read = vec![false; num_slots];
    inputs.iter().chain(fetches).for_each(|source| read[source.slot()] = true);
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reader_takes() {
        let mut inputs = [Source(0), Source(1), Source(2), Source(2), Source(1), Source(3)];
        let mut fetches = [Source(1), Source(4), Source(4)];
        mark_last_reads(&mut inputs, &mut fetches, 5, 1);
        let last = |sources: &[Source]| sources.iter().map(|source| source.is_last()).collect::<Vec<_>>();
        assert_eq!(last(&inputs), [false, false, false, true, false, true]);
        assert_eq!(last(&fetches), [true, false, true]);
        assert_eq!(reads(&inputs, &fetches, 6), [true, true, true, true, true, false]);
    }
}
