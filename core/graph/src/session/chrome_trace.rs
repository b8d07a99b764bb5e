//! A run's metadata in the format of Chrome's tracing, which Perfetto reads too.

use std::fmt::Write as _;
use std::time::Duration;

use super::metadata::{NodeStats, RunMetadata};

impl RunMetadata {
    /// The nodes as events of a timeline, a row a thread: JSON for `ui.perfetto.dev` or `chrome://tracing`. Times are
    /// in microseconds since the run's start.
    pub fn to_chrome_trace(&self) -> String {
        let mut text = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        let _ = write!(text, r#"{{"ph":"M","pid":0,"name":"process_name","args":{{"name":"step {}"}}}}"#, self.step_id);
        for (number, name) in self.threads.iter().enumerate() {
            let name = json(name);
            let _ = write!(
                text,
                ",\n{{\"ph\":\"M\",\"pid\":0,\"tid\":{number},\"name\":\"thread_name\",\"args\":{{\"name\":{name}}}}}"
            );
        }
        for node in &self.nodes {
            write_node(&mut text, node);
        }
        text.push_str("\n]}\n");
        text
    }
}

fn write_node(text: &mut String, node: &NodeStats) {
    let _ = write!(
        text,
        ",\n{{\"ph\":\"X\",\"pid\":0,\"tid\":{},\"ts\":{:.3},\"dur\":{:.3},\"cat\":\"op\",\"name\":{},\"args\":{{\"node\":{},\"device\":{}",
        node.thread,
        microseconds(node.start),
        microseconds(node.duration),
        json(&node.op),
        json(&node.name),
        json(&node.device)
    );
    for (index, output) in node.outputs.iter().enumerate() {
        let value = json(&format!("{} {}, {} bytes", output.dtype, output.shape, output.bytes));
        let _ = write!(text, ",\"output {index}\":{value}");
    }
    text.push_str("}}");
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A text in JSON.
fn json(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if u32::from(c) < 0x20 => drop(write!(quoted, "\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(json("a/b \"c\" \\ \n é"), "\"a/b \\\"c\\\" \\\\ \\u000a é\"");
    }
}
