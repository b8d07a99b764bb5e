//! What the measurements were taken on.

/// The processor, its widest instruction set and the number of cores that are there.
pub(super) fn describe() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &str| flags.split_whitespace().any(|one| one == flag);
    let set = [("avx512f", "AVX-512"), ("avx2", "AVX2")].into_iter().find(|(flag, _)| has(flag));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let family = field("cpu family").map(|family| format!(", family {family}")).unwrap_or_default();
    let model = field("model\t").map(|model| format!(", model {model}")).unwrap_or_default();
    format!("{name}{family}{model}, {}, {cores} cores", set.map_or("no wide vectors", |(_, name)| name))
}

/// MiB that programs can still have; unlimited where the system does not tell.
pub(super) fn available_memory() -> f64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.map_or(f64::INFINITY, |kib| kib / 1024.0)
}
