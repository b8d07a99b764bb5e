//! The allocator of device memory against a model, a recorded step, and a device that runs out of memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use oplink_api::device::DeviceBlock;
use oplink_api::{Code, DType, ErrorKind, Shape};
use oplink_core::memory::{AllocatorOptions, DeviceAllocator, MemoryStatistics, RawMemory, RawRegion};
use proptest::prelude::*;

pub(crate) const DEVICE: &str = "/job:localhost/replica:0/task:0/device:FAKE:0";
const ALIGNMENT: usize = 256;

/// Regions by handle, with their offset and length.
#[derive(Clone, Default)]
pub(crate) struct Raw {
    regions: Arc<Mutex<BTreeMap<usize, (usize, usize)>>>,
    /// What the device has; 0 for no bound.
    bytes: usize,
}

impl RawMemory for Raw {
    fn allocate(&self, bytes: usize) -> Option<RawRegion> {
        let mut regions = self.regions.lock().unwrap();
        let used: usize = regions.values().map(|(_, len)| len).sum();
        if self.bytes > 0 && used + bytes > self.bytes {
            return None;
        }
        let handle = 1 + regions.keys().last().copied().unwrap_or(0);
        let offset = ALIGNMENT * (handle % 3);
        regions.insert(handle, (offset, bytes));
        Some(RawRegion::new(std::ptr::without_provenance_mut(handle), offset, bytes))
    }

    fn free(&self, region: RawRegion) {
        let freed = self.regions.lock().unwrap().remove(&region.handle().addr());
        assert_eq!(freed, Some((region.offset(), region.bytes())));
    }

    fn alignment(&self) -> usize {
        ALIGNMENT
    }
}

fn allocator(raw: &Raw, limit: usize, allow_growth: bool) -> Arc<DeviceAllocator> {
    Arc::new(DeviceAllocator::new(DEVICE, raw.clone(), AllocatorOptions { limit, allow_growth }))
}

#[derive(Clone, Debug)]
enum Step {
    Allocate(usize),
    Free(usize),
    Release,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop_oneof![0usize..2_000, 2_000usize..60_000, 60_000usize..900_000, Just(3 << 20)];
    let step = prop_oneof![6 => bytes.prop_map(Step::Allocate), 5 => any::<usize>().prop_map(Step::Free), 1 => Just(Step::Release)];
    prop::collection::vec(step, 1..150)
}

/// The live blocks, and what was seen of them.
#[derive(Default)]
struct Model {
    live: Vec<Box<dyn DeviceBlock>>,
    allocations: u64,
    refused: usize,
}

impl Model {
    fn allocate(&mut self, raw: &Raw, allocator: &Arc<DeviceAllocator>, bytes: usize) {
        let before = allocator.statistics();
        let Ok(block) = allocator.allocate(bytes, "node") else {
            let room = before.limit.unwrap() - before.in_use;
            let largest = before.largest_free_block;
            // Nothing takes a block too.
            assert!(bytes.max(1) > largest, "{bytes} bytes are refused beside a free block of {largest}");
            assert!(before.in_use > 0 || bytes.max(1) > room, "{bytes} bytes are refused with nothing in use");
            self.refused += 1;
            return;
        };
        self.allocations += 1;
        assert_eq!((block.bytes(), block.offset() % ALIGNMENT, block.device()), (bytes, 0, DEVICE));
        let (start, len) = raw.regions.lock().unwrap()[&block.handle().addr()];
        assert!(start <= block.offset() && block.offset() + bytes <= start + len, "a block lies outside its region");
        let apart = |other: &dyn DeviceBlock| {
            other.handle() != block.handle()
                || other.offset() + other.bytes().max(1) <= block.offset()
                || block.offset() + bytes.max(1) <= other.offset()
        };
        assert!(self.live.iter().all(|other| apart(&**other)), "two blocks overlap");
        self.live.push(block);
    }

    fn check(&self, raw: &Raw, statistics: &MemoryStatistics, limit: usize) {
        let bytes: usize = self.live.iter().map(|block| block.bytes()).sum();
        let most = bytes + self.live.len() * (ALIGNMENT + 1024);
        let MemoryStatistics { in_use, reserved, peak_in_use, peak_reserved, .. } = *statistics;
        assert!(bytes <= in_use && in_use <= most, "{bytes} bytes: {statistics:?}");
        assert!(in_use <= reserved && reserved <= limit && in_use <= peak_in_use && reserved <= peak_reserved);
        assert!(statistics.largest_free_block <= reserved - in_use);
        assert_eq!(statistics.allocations, self.allocations);
        assert_eq!(reserved, raw.regions.lock().unwrap().values().map(|(_, len)| len).sum());
        let largest = self.live.iter().map(|block| block.bytes()).max().unwrap_or(0);
        assert!(largest <= statistics.largest_allocation);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_requests_is_served_or_refused_correctly(steps in steps(), allow_growth: bool, limit in 1usize..12) {
        let (raw, limit) = (Raw::default(), limit << 20);
        let allocator = allocator(&raw, limit, allow_growth);
        let mut model = Model::default();
        for step in steps {
            match step {
                Step::Allocate(bytes) => model.allocate(&raw, &allocator, bytes),
                Step::Free(choice) if !model.live.is_empty() => {
                    model.live.swap_remove(choice % model.live.len());
                }
                Step::Free(_) => {}
                Step::Release => allocator.release_unused(),
            }
            model.check(&raw, &allocator.statistics(), limit);
        }
        model.live.clear();
        let (statistics, regions) = (allocator.statistics(), raw.regions.lock().unwrap().clone());
        prop_assert_eq!(statistics.in_use, 0);
        let largest = regions.values().map(|(_, len)| *len).max().unwrap_or(0);
        prop_assert_eq!(statistics.largest_free_block, largest, "free chunks of a region did not join");
        prop_assert!(allow_growth || regions.len() <= 1);
        drop(allocator);
        prop_assert!(raw.regions.lock().unwrap().is_empty());
    }
}

/// Outputs of the layers of an image network, in bytes for a batch of one: each is there until its reader is done, and
/// each inverted block adds its input to its output.
fn replay(allocator: &Arc<DeviceAllocator>, batch: usize) {
    let allocate = |bytes: usize| allocator.allocate(batch * bytes, "layer").unwrap();
    let mut x = allocate(112 * 112 * 32 * 4);
    let blocks = [(112, 16, 1), (56, 24, 2), (28, 32, 3), (14, 64, 4), (14, 96, 3), (7, 160, 3), (7, 320, 1)];
    for (extent, channels, repeats) in blocks {
        for repeat in 0..repeats {
            let wide = 6 * channels * if repeat == 0 { 4 * extent * extent } else { extent * extent };
            let expanded = allocate(wide * 4);
            let padded = allocate(wide * 4 + 4096);
            let depthwise = allocate(6 * channels * extent * extent * 4);
            drop((expanded, padded));
            let projected = allocate(channels * extent * extent * 4);
            drop(depthwise);
            x = if repeat == 0 { projected } else { allocate(x.bytes() / batch) };
        }
    }
    let pooled = allocate(1280 * 4);
    drop(x);
    drop((allocate(1001 * 4), pooled));
}

#[test]
fn a_recorded_step_settles_and_holds_little_more_than_it_uses() {
    for allow_growth in [true, false] {
        let raw = Raw::default();
        let allocator = allocator(&raw, 64 << 20, allow_growth);
        let weights: Vec<_> =
            (0..50).map(|i| allocator.allocate(1000 + 997 * (i % 13) * 8, "weights").unwrap()).collect();
        (0..3).for_each(|_| replay(&allocator, 1));
        let settled = allocator.statistics();
        (0..20).for_each(|_| replay(&allocator, 1));
        let after = allocator.statistics();
        assert_eq!(after.system_allocations, settled.system_allocations);
        assert_eq!(after.peak_in_use, settled.peak_in_use);
        if allow_growth {
            assert!(after.peak_reserved <= 2 * after.peak_in_use, "{after:?}");
        } else {
            assert_eq!(after.reserved, 64 << 20);
        }
        drop(weights);
        allocator.release_unused();
        assert_eq!(allocator.statistics().reserved, 0);
    }
}

#[test]
fn a_limit_just_above_the_peak_serves_the_step() {
    let generous = allocator(&Raw::default(), 1 << 30, true);
    replay(&generous, 1);
    let peak = generous.statistics().peak_in_use;
    let tight = allocator(&Raw::default(), peak + peak / 4, true);
    (0..5).for_each(|_| replay(&tight, 1));
}

#[test]
fn exhaustion_waits_once_for_pending_frees() {
    let raw = Raw::default();
    let allocator = allocator(&raw, 4 << 20, true);
    let pending = Arc::new(Mutex::new(vec![allocator.allocate(3 << 20, "old").unwrap()]));
    let (waits, held) = (Arc::new(Mutex::new(0)), pending.clone());
    let count = waits.clone();
    allocator.on_exhaustion(move || {
        *count.lock().unwrap() += 1;
        held.lock().unwrap().clear();
    });
    let served = allocator.allocate(3 << 20, "new").unwrap();
    assert_eq!(*waits.lock().unwrap(), 1);
    assert!(allocator.allocate(2 << 20, "newer").is_err());
    assert_eq!(*waits.lock().unwrap(), 2);
    drop(served);
    assert!(allocator.allocate(2 << 20, "newer").is_ok());
    assert_eq!(*waits.lock().unwrap(), 2);
}

#[test]
fn small_free_regions_make_room_for_a_large_one() {
    let raw = Raw::default();
    let allocator = allocator(&raw, 10 << 20, true);
    let small: Vec<_> = (0..4).map(|_| allocator.allocate(2 << 20, "small").unwrap()).collect();
    assert!(raw.regions.lock().unwrap().len() > 1);
    drop(small);
    assert_eq!(allocator.allocate(9 << 20, "large").unwrap().bytes(), 9 << 20);
}

#[test]
fn a_device_with_less_than_the_limit_is_asked_for_less() {
    let raw = Raw { bytes: 5 << 20, ..Raw::default() };
    let allocator = allocator(&raw, 1 << 30, false);
    let block = allocator.allocate(1 << 20, "").unwrap();
    let reserved = allocator.statistics().reserved;
    assert!(reserved > 4 << 20 && reserved <= 5 << 20, "{reserved}");
    drop(block);
    assert!(allocator.allocate(6 << 20, "").is_err());
}

#[test]
fn an_error_names_request_limit_use_and_largest_users() {
    let allocator = allocator(&Raw::default(), 4 << 20, true);
    let sizes = [("conv", 1 << 20), ("dense", 300_000), ("conv", 1 << 19), ("", 1000), ("a", 10), ("b", 20), ("c", 30)];
    let kept: Vec<_> = sizes.iter().map(|(owner, bytes)| allocator.allocate(*bytes, owner).unwrap()).collect();
    let error = allocator.allocate(3 << 20, "softmax").err().unwrap();
    assert_eq!((error.code(), error.kind()), (Code::ResourceExhausted, ErrorKind::Resource));
    let statistics = allocator.statistics();
    let said = format!(
        "{DEVICE} is out of memory: 3145728 bytes were asked for by `softmax`; {} bytes are in use and {} held of a limit \
         of 4194304, the largest free block has {}; the largest users are `conv` with 1572864 in 2 blocks, `dense` with \
         300000, no node with 1000, `c` with 30, `b` with 20",
        statistics.in_use, statistics.reserved, statistics.largest_free_block
    );
    assert_eq!(error.message(), said);
    drop(kept);
    assert!(allocator.allocate(3 << 20, "softmax").is_ok());
}

#[test]
fn tensors_are_of_plain_dtypes_and_possible_sizes() {
    let allocator = allocator(&Raw::default(), 1 << 20, true);
    let tensor = allocator.tensor(DType::Half, Shape::from([3, 5]), "n").unwrap();
    assert_eq!(tensor.device_memory().unwrap().bytes, 30);
    assert!(tensor.is_unique());
    let error = allocator.tensor(DType::String, Shape::from([1]), "n").unwrap_err();
    assert_eq!(error.message(), format!("a tensor of string cannot lie in the memory of {DEVICE}"));
    let error = allocator.tensor(DType::Double, Shape::from([usize::MAX / 2]), "n").unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    assert!(allocator.allocate(usize::MAX, "n").is_err());
    drop(tensor);
    assert_eq!(allocator.statistics().in_use, 0);
}

#[test]
fn threads_share_one_allocator() {
    let allocator = allocator(&Raw::default(), 64 << 20, true);
    std::thread::scope(|scope| {
        for thread in 0..4usize {
            let allocator = &allocator;
            scope.spawn(move || {
                let mut kept = Vec::new();
                for i in 0..300 {
                    kept.push(allocator.allocate(1 + 997 * ((i + thread) % 37), "n").unwrap());
                    if kept.len() > 20 {
                        kept.swap_remove(i % kept.len());
                    }
                }
            });
        }
    });
    let statistics = allocator.statistics();
    assert_eq!((statistics.in_use, statistics.allocations), (0, 1200));
}
