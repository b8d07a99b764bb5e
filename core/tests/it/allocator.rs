//! The host allocator against a model: blocks do not overlap, are aligned and initialised, are reused, and are counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use oplink_api::tensor::{ALIGNMENT, Allocator};
use oplink_api::{DType, Shape, Tensor};
use oplink_core::memory::HostAllocator;
use proptest::prelude::*;

const SMALL: usize = 1 << 14;

#[derive(Clone, Debug)]
enum Step {
    Allocate(usize),
    Free(usize),
    Release,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop_oneof![1usize..40_000, Just(SMALL - 1), Just(SMALL), 40_000usize..400_000, Just(3 << 20)];
    let step = prop_oneof![6 => bytes.prop_map(Step::Allocate), 5 => any::<usize>().prop_map(Step::Free), 1 => Just(Step::Release)];
    prop::collection::vec(step, 1..120)
}

/// Live blocks by address, with the tensor that holds each and the byte it is filled with.
#[derive(Default)]
struct Model {
    live: BTreeMap<usize, (Tensor, u8)>,
    filled: u8,
}

impl Model {
    fn allocate(&mut self, allocator: &Arc<dyn Allocator>, bytes: usize) {
        let mut tensor = Tensor::allocate(DType::UInt8, Shape::from([bytes]), Some(allocator)).unwrap();
        let start = tensor.as_ptr().addr();
        assert_eq!(start % ALIGNMENT, 0);
        if bytes > 64 {
            let before = self.live.range(..=start).next_back().map(|(at, (t, _))| at + t.num_bytes());
            assert!(before.is_none_or(|end| end <= start), "a block begins inside another");
            let after = self.live.range(start..).next().map(|(at, _)| *at);
            assert!(after.is_none_or(|next| start + bytes <= next), "a block ends inside another");
        }
        self.filled = self.filled.wrapping_add(1);
        let (head, tail) = ends(bytes);
        tensor.as_mut_slice::<u8>().unwrap()[..head].fill(self.filled);
        tensor.as_mut_slice::<u8>().unwrap()[tail..].fill(self.filled);
        self.live.insert(start, (tensor, self.filled));
    }

    fn free(&mut self, choice: usize) {
        let Some(at) = self.live.keys().copied().nth(choice % self.live.len().max(1)) else { return };
        if let Some((tensor, filled)) = self.live.remove(&at) {
            let (head, tail) = ends(tensor.num_bytes());
            let bytes = tensor.as_slice::<u8>().unwrap();
            let mut written = bytes[..head].iter().chain(&bytes[tail..]);
            assert!(written.all(|&byte| byte == filled), "somebody wrote into a live block");
        }
    }

    /// Bytes that live in blocks, at least; tensors of up to 64 bytes hold them themselves.
    fn bytes(&self) -> usize {
        self.live.values().map(|(tensor, _)| tensor.num_bytes()).filter(|&bytes| bytes > 64).sum()
    }
}

/// Where the first 4 KiB end and the last begin.
fn ends(bytes: usize) -> (usize, usize) {
    (bytes.min(4096), bytes.saturating_sub(4096))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_requests_is_served_correctly(steps in steps()) {
        let host = Arc::new(HostAllocator::new("test"));
        let allocator: Arc<dyn Allocator> = host.clone();
        let mut model = Model::default();
        for step in steps {
            match step {
                Step::Allocate(bytes) => model.allocate(&allocator, bytes),
                Step::Free(choice) => model.free(choice),
                Step::Release => host.release_unused(),
            }
            let statistics = host.statistics();
            let (live, blocks) = (model.bytes(), model.live.len());
            prop_assert!(live <= statistics.in_use && statistics.in_use <= live + blocks * 1024, "{live} {statistics:?}");
            prop_assert!(statistics.in_use <= statistics.reserved);
        }
        while !model.live.is_empty() {
            model.free(0);
        }
        prop_assert_eq!(host.statistics().in_use, 0);
        host.release_unused();
        prop_assert_eq!(host.statistics().reserved, 0);
    }
}

fn tensor(allocator: &Arc<dyn Allocator>, bytes: usize) -> Tensor {
    Tensor::allocate(DType::UInt8, Shape::from([bytes]), Some(allocator)).unwrap()
}

#[test]
fn a_repeated_step_settles_on_one_region_and_asks_the_system_no_more() {
    let host = Arc::new(HostAllocator::new("test"));
    let allocator: Arc<dyn Allocator> = host.clone();
    let step = || {
        let mut last = tensor(&allocator, 700_000);
        for bytes in [900_000, 2_000_000, 300_000, 5_000_000, 20_000, 1_500_000] {
            last = tensor(&allocator, bytes.max(last.num_bytes() / 2));
        }
    };
    (0..3).for_each(|_| step());
    let settled = host.statistics();
    (0..20).for_each(|_| step());
    let after = host.statistics();
    assert_eq!(after.system_allocations, settled.system_allocations);
    assert!(after.peak_reserved <= after.peak_in_use * 2 + (1 << 20), "{after:?}");
}

#[test]
fn the_best_fit_is_taken() {
    let host = Arc::new(HostAllocator::new("test"));
    let allocator: Arc<dyn Allocator> = host.clone();
    let blocks: Vec<Tensor> = [16_384, 16_384, 100_000, 16_384, 60_000, 16_384, 200_000, 16_384]
        .map(|bytes| tensor(&allocator, bytes))
        .into();
    let addresses: Vec<usize> = blocks.iter().map(|block| block.as_ptr().addr()).collect();
    let mut kept: Vec<Option<Tensor>> = blocks.into_iter().map(Some).collect();
    for gap in [2, 4, 6] {
        kept[gap] = None;
    }
    assert_eq!(tensor(&allocator, 59_000).as_ptr().addr(), addresses[4]);
    assert_eq!(tensor(&allocator, 90_000).as_ptr().addr(), addresses[2]);
    assert_eq!(tensor(&allocator, 150_000).as_ptr().addr(), addresses[6]);
    drop(kept);
    let joined = tensor(&allocator, 250_000);
    assert_eq!(joined.as_ptr().addr(), addresses[0]);
}

/// As in a network that widens: the input of the first layer lies before its output when the second layer needs room.
#[test]
fn two_large_blocks_fit_where_a_small_one_was_before_the_first() {
    let host = Arc::new(HostAllocator::new("test"));
    let allocator: Arc<dyn Allocator> = host.clone();
    for _ in 0..4 {
        let small = tensor(&allocator, 800_000);
        let large = tensor(&allocator, 4_800_000);
        drop(small);
        let larger = tensor(&allocator, 4_900_000);
        drop(large);
        let _small = tensor(&allocator, 1_200_000);
        drop(larger);
    }
    let statistics = host.statistics();
    assert!(statistics.peak_reserved <= statistics.peak_in_use + statistics.peak_in_use / 16, "{statistics:?}");
}

/// As in a network that narrows and widens: what is small when the largest block comes lies at an end of the region.
#[test]
fn a_block_between_large_ones_leaves_room_for_the_largest() {
    let host = Arc::new(HostAllocator::new("test"));
    let allocator: Arc<dyn Allocator> = host.clone();
    for _ in 0..4 {
        let wide = tensor(&allocator, 1_600_000);
        let same = tensor(&allocator, 1_600_000);
        drop(wide);
        let narrow = tensor(&allocator, 800_000);
        drop(same);
        let largest = tensor(&allocator, 4_800_000);
        drop(narrow);
        let _half = tensor(&allocator, 1_200_000);
        drop(largest);
    }
    let statistics = host.statistics();
    assert!(statistics.peak_reserved <= statistics.peak_in_use + statistics.peak_in_use / 8, "{statistics:?}");
}

#[test]
fn too_large_a_request_is_an_error() {
    let allocator: Arc<dyn Allocator> = Arc::new(HostAllocator::new("test"));
    let error = Tensor::allocate(DType::Float, Shape::from([usize::MAX / 16]), Some(&allocator)).unwrap_err();
    assert_eq!(error.kind(), oplink_api::ErrorKind::Resource);
}

#[test]
fn threads_share_one_allocator() {
    let host = Arc::new(HostAllocator::new("test"));
    std::thread::scope(|scope| {
        for thread in 0..8u8 {
            let allocator: Arc<dyn Allocator> = host.clone();
            scope.spawn(move || {
                for i in 0..200usize {
                    let mut block = tensor(&allocator, 16_000 + 997 * (i % 37));
                    block.as_mut_slice::<u8>().unwrap().fill(thread);
                    assert!(block.as_slice::<u8>().unwrap().iter().all(|&byte| byte == thread));
                }
            });
        }
    });
    assert_eq!(host.statistics().in_use, 0);
    assert_eq!(host.statistics().allocations, 1600);
}

#[test]
fn a_limit_is_held() {
    let allocator: Arc<dyn Allocator> = Arc::new(HostAllocator::new("limited").with_limit(8 << 20));
    let bytes = |bytes: usize| Tensor::allocate(DType::UInt8, Shape::from([bytes]), Some(&allocator));
    let first = bytes(6 << 20).unwrap();
    let error = bytes(6 << 20).unwrap_err();
    assert_eq!(error.code(), oplink_api::Code::ResourceExhausted);
    drop(first);
    assert_eq!(bytes(7 << 20).unwrap().num_elements(), 7 << 20);
    assert!(bytes(1 << 50).is_err());
}
