//! Names of devices: full, short, and partial ones that mean every device they fit.

use std::fmt;

use oplink_api::{Error, Result, bail};

/// A device's name in parts; a part that is `None` is left open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceName {
    /// The job, such as `localhost`.
    pub job: Option<String>,
    /// The replica of the job.
    pub replica: Option<u32>,
    /// The task of the replica.
    pub task: Option<u32>,
    /// The type, such as `GPU`, as it was written. Types are compared without regard to case.
    pub device_type: Option<String>,
    /// The number among the devices of the type.
    pub index: Option<u32>,
}

impl DeviceName {
    /// The full name of a device of this process.
    pub fn local(device_type: &str, index: usize) -> Self {
        Self {
            job: Some("localhost".to_owned()),
            replica: Some(0),
            task: Some(0),
            device_type: Some(device_type.to_owned()),
            index: u32::try_from(index).ok(),
        }
    }

    /// Reads a name: parts behind slashes in any order, each at most once or the same again; `*` leaves one open.
    /// `/job:localhost/replica:0/task:0/device:GPU:0`, `/device:GPU:0`, `/gpu:0`, `GPU:0` and `GPU` are names; the
    /// empty text is the name of every device.
    ///
    /// # Errors
    /// A part is none of these, a number is no number, or two parts contradict each other.
    pub fn parse(text: &str) -> Result<Self> {
        let mut name = Self::default();
        for part in text.split('/').filter(|part| !part.is_empty()) {
            name.add_part(part).map_err(|problem| {
                Error::invalid_argument(format!(
                    "`{text}` is no device name: {problem}; write it as `/job:localhost/replica:0/task:0/device:GPU:0`, \
                     `/device:GPU:0` or `GPU:0`, where parts may be left out or `*`"
                ))
            })?;
        }
        Ok(name)
    }

    fn add_part(&mut self, part: &str) -> std::result::Result<(), String> {
        let (key, value) = part.split_once(':').map_or((part, None), |(key, value)| (key, Some(value)));
        match (key, value) {
            ("job", Some(value)) => set(&mut self.job, identifier(value, "job")?),
            ("replica", Some(value)) => set(&mut self.replica, number(value)?),
            ("task", Some(value)) => set(&mut self.task, number(value)?),
            ("device", Some(value)) => self.add_device(value),
            ("job" | "replica" | "task" | "device", None) => Err(format!("`{part}` has no value")),
            _ => self.add_device(part),
        }
    }

    /// `GPU:0`, `GPU`, `*`.
    fn add_device(&mut self, text: &str) -> std::result::Result<(), String> {
        let (device_type, index) = text.split_once(':').unwrap_or((text, "*"));
        set(&mut self.device_type, identifier(device_type, "device type")?)?;
        set(&mut self.index, number(index)?)
    }

    /// Whether no part is left open.
    pub fn is_full(&self) -> bool {
        self.job.is_some()
            && self.replica.is_some()
            && self.task.is_some()
            && self.device_type.is_some()
            && self.index.is_some()
    }

    /// Whether every part that this name has is the other's too: this one is a pattern, the other usually a full name.
    pub fn matches(&self, other: &Self) -> bool {
        fits(self.job.as_ref(), other.job.as_ref(), |a, b| a == b)
            && fits(self.replica, other.replica, |a, b| a == b)
            && fits(self.task, other.task, |a, b| a == b)
            && fits(self.device_type.as_ref(), other.device_type.as_ref(), |a, b| a.eq_ignore_ascii_case(b))
            && fits(self.index, other.index, |a, b| a == b)
    }

    /// The name that means the devices that both mean.
    ///
    /// # Errors
    /// The names contradict each other in a part, so no device has both.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        let merged = self.or(other);
        if !other.matches(&merged) {
            bail!("no device is both `{self}` and `{other}`");
        }
        Ok(merged)
    }

    /// The parts of this name, and of the other those that this one leaves open; a number counts only with its type.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let same = |one: &String, other: &String| one.eq_ignore_ascii_case(other);
        let one_type = self.device_type.as_ref().zip(other.device_type.as_ref()).is_none_or(|(a, b)| same(a, b));
        Self {
            job: self.job.clone().or_else(|| other.job.clone()),
            replica: self.replica.or(other.replica),
            task: self.task.or(other.task),
            device_type: self.device_type.clone().or_else(|| other.device_type.clone()),
            index: self.index.or(other.index.filter(|_| one_type)),
        }
    }

    /// The same with any device type and number: where soft placement looks.
    #[must_use]
    pub fn softened(&self) -> Self {
        Self { device_type: None, index: None, ..self.clone() }
    }

    /// The name without the parts that are the same for every device of this process: `GPU:0`.
    pub fn short(&self) -> String {
        let device_type = self.device_type.as_deref().unwrap_or("*");
        self.index.map_or_else(|| format!("{device_type}:*"), |index| format!("{device_type}:{index}"))
    }
}

fn fits<T>(pattern: Option<T>, other: Option<T>, same: impl Fn(T, T) -> bool) -> bool {
    match (pattern, other) {
        (None, _) => true,
        (Some(pattern), Some(other)) => same(pattern, other),
        (Some(_), None) => false,
    }
}

fn set<T: PartialEq + fmt::Display>(slot: &mut Option<T>, value: Option<T>) -> std::result::Result<(), String> {
    match (&*slot, value) {
        (Some(before), Some(now)) if *before != now => Err(format!("it says both {before} and {now}")),
        (_, Some(now)) => {
            *slot = Some(now);
            Ok(())
        }
        (_, None) => Ok(()),
    }
}

fn number(text: &str) -> std::result::Result<Option<u32>, String> {
    match text {
        "*" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| format!("`{text}` is no number")),
    }
}

fn identifier(text: &str, what: &str) -> std::result::Result<Option<String>, String> {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    match text {
        "*" => Ok(None),
        _ if starts && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => Ok(Some(text.to_owned())),
        _ => Err(format!("`{text}` is no {what}: a letter, then letters, digits and underscores")),
    }
}

impl fmt::Display for DeviceName {
    /// The parts that are there, in TensorFlow's order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job) = &self.job {
            write!(f, "/job:{job}")?;
        }
        if let Some(replica) = self.replica {
            write!(f, "/replica:{replica}")?;
        }
        if let Some(task) = self.task {
            write!(f, "/task:{task}")?;
        }
        match (&self.device_type, self.index) {
            (None, None) => Ok(()),
            _ => write!(f, "/device:{}", self.short()),
        }
    }
}

impl std::str::FromStr for DeviceName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}
