//! `AudioSummaryV2` and `AudioSummary`: sounds as WAV files.

use crate::strings::scalar;
use oplink::prelude::*;
use oplink_cpu_support::summary::{AUDIO, TAG, add_value};
use oplink_cpu_support::wav;
use oplink_cpu_support::wire::Message;
use oplink_ops::string::{AudioSummary, AudioSummaryV2};

/// `AudioSummaryV2`.
#[kernel(AudioSummaryV2, device = CPU)]
pub fn audio_summary_v2_cpu(tag: &Tensor, tensor: &Tensor, sample_rate: f32, max_outputs: i64) -> Result<TString> {
    let summary = sounds(scalar(tag, "tag")?, tensor, sample_rate, max_outputs)?;
    Ok(TString::new(summary.into_bytes()))
}

/// `AudioSummary`.
#[kernel(AudioSummary, device = CPU)]
pub fn audio_summary_cpu(tag: &Tensor, tensor: &Tensor, sample_rate: f32, max_outputs: i64) -> Result<TString> {
    let summary = sounds(scalar(tag, "tag")?, tensor, sample_rate, max_outputs)?;
    Ok(TString::new(summary.into_bytes()))
}

/// The summary of sounds.
pub(super) fn sounds(tag: &[u8], tensor: &Tensor, sample_rate: f32, max_outputs: i64) -> Result<Message> {
    let (batch, frames, channels) = match *tensor.shape().dims() {
        [batch, frames] => (batch, frames, 1),
        [batch, frames, channels] => (batch, frames, channels),
        _ => bail!("tensor must be of rank 2 or 3, its shape is {}", tensor.shape()),
    };
    ensure!(sample_rate > 0.0, "sample_rate must be above 0, it is {sample_rate}");
    let (values, count) = (tensor.as_slice::<f32>()?, frames * channels);
    let mut summary = Message::default();
    for at in 0..batch.min(usize::try_from(max_outputs).unwrap_or(0)) {
        let file = wav::encode(&values[at * count..][..count], [frames, channels], sample_rate as i64)?;
        let sound = Message::default()
            .single(1, sample_rate)
            .integer_unless_zero(2, channels as u64)
            .integer_unless_zero(3, frames as u64)
            .bytes(4, &file)
            .bytes(5, b"audio/wav");
        let suffix = if max_outputs > 1 { format!("/audio/{at}") } else { "/audio".to_owned() };
        let value = Message::default().bytes(TAG, &[tag, suffix.as_bytes()].concat()).bytes(AUDIO, &sound.into_bytes());
        summary = add_value(summary, value);
    }
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn bytes_are_those_of_tensorflow() {
        let expected =
            b"\x0aT\x0a\x0aau/audio/02F\x0d\0\x000B\x10\x01\x18\x02\"0RIFF(\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\
                         ,\0\0\0X\0\0\0\x02\0\x10\0data\x04\0\0\0\0@\0\xc0*\x09audio/wav";
        let sounds = Tensor::from_vec([1, 2], vec![0.5f32, -0.5]).unwrap();
        check("AudioSummaryV2", ["au".into(), sounds.clone(), 44f32.into()], TString::new(expected));
        check_error("AudioSummaryV2", ["au".into(), sounds, 0f32.into()], "sample_rate must be above 0");
        check_error("AudioSummaryV2", ["au".into(), [1f32].into(), 1f32.into()], "rank 2 or 3");
    }
}
