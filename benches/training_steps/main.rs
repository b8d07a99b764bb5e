//! Steps of training a second: `cargo bench --bench training_steps` measures three models for two seconds each.
//!
//! With the name of a model behind `serve` it takes turns with other libraries, as `compare.py` has it. The loss of the
//! first step is written; for each line that is read, a number of seconds, the model is trained for so long, and a line
//! with the number of steps, the seconds that they took and the last loss is written. With a name behind `profile` it
//! tells where the time of a step goes, by op and by node.

mod models;
#[path = "../support/profile.rs"]
mod profile;

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use models::{NAMES, Training};
use oplink::prelude::*;
use oplink::{Value, function};

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", name] => return serve(name),
        ["profile", name] => return profile_of(name),
        _ => {}
    }
    for name in NAMES {
        let training = Training::new(name)?;
        let step = function(|batch: [Value; 2]| training.step(batch));
        step.call(training.batch.each_ref())?;
        let (steps, seconds, loss) = turn(Duration::from_secs(2), || step.call(training.batch.each_ref()))?;
        println!("{name}: {:.1} steps a second, loss {loss}", steps as f64 / seconds);
    }
    Ok(())
}

/// Trains one model as it is asked, until the input ends.
fn serve(name: &str) -> std::result::Result<(), Box<dyn Error>> {
    let training = Training::new(name)?;
    let step = function(|batch: [Value; 2]| training.step(batch));
    let first = step.call(training.batch.each_ref())?.item::<f32>()?;
    let mut output = io::stdout().lock();
    writeln!(output, "{first}")?;
    output.flush()?;
    for line in io::stdin().lock().lines() {
        let time = Duration::from_secs_f64(line?.trim().parse()?);
        let (steps, seconds, loss) = turn(time, || step.call(training.batch.each_ref()))?;
        writeln!(output, "{steps} {seconds} {loss}")?;
        output.flush()?;
    }
    Ok(())
}

fn profile_of(name: &str) -> std::result::Result<(), Box<dyn Error>> {
    let training = Training::new(name)?;
    let step = function(|batch: [Value; 2]| training.step(batch));
    for _ in 0..5 {
        step.call(training.batch.each_ref())?;
    }
    Ok(profile::print(|options| Ok(step.call_with(options, training.batch.each_ref())?.1))?)
}

/// Steps until the time is over: how many, the seconds that they took, and the last loss. Each loss is looked at.
fn turn(time: Duration, step: impl Fn() -> Result<Value>) -> Result<(usize, f64, f32)> {
    let start = Instant::now();
    let (mut steps, mut loss) = (0, f32::NAN);
    while steps == 0 || start.elapsed() < time {
        loss = step()?.item()?;
        steps += 1;
    }
    Ok((steps, start.elapsed().as_secs_f64(), loss))
}
