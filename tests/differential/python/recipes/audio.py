"""Sound: WAV files, spectra, cepstra."""
import numpy as np
import tensorflow as tf

from draw import given

from . import recipe


@recipe("EncodeWav")
def encode_wav(d, t):
    d.style = "unit" if d.chance(0.5) else "plain"
    shape = (d.integer(1, 40), d.integer(1, 3)) if not d.bad() else d.one([(0, 1), (3, 0), (3,)])
    return [d.tensor("float32", shape), given("int32", d.one([8000, 44100, 1]) if not d.bad() else d.one([0, -1]))]


@recipe("DecodeWav")
def decode_wav(d, t):
    audio = d.random.uniform(-1, 1, (d.integer(1, 20), d.integer(1, 3))).astype(np.float32)
    file = tf.audio.encode_wav(audio, d.one([8000, 44100])).numpy()
    if d.chance(0.15):
        file = file[:36] + b"LIST" + (4).to_bytes(4, "little") + b"info" + file[36:]
    if d.bad(0.06):
        file = d.one([file[:d.integer(0, len(file) - 1)], b"RIFX" + file[4:], file[:20] + b"\3" + file[21:], file[:34] + b"\10" + file[35:]])
    return [given("string", file)], {"desired_channels": d.one([-1, -1, 1, 2, 4]), "desired_samples": d.one([-1, -1, 0, 5, 30])}


@recipe("AudioSpectrogram")
def spectrogram(d, t):
    d.style = d.one(["plain", "unit"])
    shape = (d.integer(1, 60), d.integer(1, 2))
    window = d.integer(2, 20) if not d.bad() else d.one([0, 1, -3])
    return [d.tensor("float32", shape), ], {"window_size": window, "stride": d.integer(1, 9) if not d.bad() else 0}


@recipe("Mfcc")
def mfcc(d, t):
    spectrum = d.tensor("float32", (d.integer(1, 2), d.integer(1, 3), d.one([17, 33, 65, 257]) if not d.bad() else 1), "positive")
    attrs = {"upper_frequency_limit": d.one([4000.0, 3000.0, 2000.5]), "lower_frequency_limit": d.one([20.0, 0.0, 300.0]) if not d.bad() else 5000.0}
    bands = d.integer(3, 40)
    attrs |= {"filterbank_channel_count": bands, "dct_coefficient_count": d.integer(1, bands) if not d.bad() else bands + 1}
    return [spectrum, given("int32", d.one([8000, 16000, 22050]) if not d.bad() else d.one([0, -5, 4000]))], attrs


@recipe("AudioMicrofrontend")
def microfrontend(d, t):
    """Whole samples a millisecond, as TensorFlow's shape function counts them; steps that are no longer than windows, which end its process."""
    rate, size = d.one([8000, 16000, 16000, 1000]), d.integer(2, 40)
    step = d.integer(1, min(size, 20))
    length = d.one([0, size * rate // 1000 - 1, size * rate // 1000, (size + d.integer(1, 12) * step) * rate // 1000 + d.integer(0, 30)])
    times = np.arange(length)
    tone = np.sin(times * d.random.uniform(0.01, 1)) * d.one([0, 3, 300, 20000]) + d.random.normal(0, d.one([0.3, 30, 3000]), length)
    audio = np.clip(np.round(tone), -32768, 32767) if not d.chance(0.1) else d.random.integers(-32768, 32768, length)
    upper = rate / 2 * d.random.uniform(0.3, 0.9)
    attrs = {
        "sample_rate": rate, "window_size": size, "window_step": step, "num_channels": d.integer(1, 40), "lower_band_limit": d.one([0.0, 20.0, 125.0]),
        "upper_band_limit": upper if not d.bad() else float(rate), "smoothing_bits": d.integer(4, 12), "even_smoothing": d.one([0.025, 0.0, 0.5]),
        "odd_smoothing": d.one([0.06, 0.9]), "min_signal_remaining": d.one([0.05, 0.0, 1.0]), "enable_pcan": d.chance(0.5), "pcan_strength": d.one([0.95, 0.5, 1.5]),
        "pcan_offset": d.one([80.0, 1.0, 1000.0]), "gain_bits": d.integer(19, 24), "enable_log": d.chance(0.6), "scale_shift": d.integer(0, 8),
        "left_context": d.one([0, 0, 1, 3]), "right_context": d.one([0, 0, 1, 2]), "frame_stride": d.one([1, 1, 2, 5]), "zero_padding": d.chance(0.5),
        "out_scale": d.one([1, 1, 2, 64])}
    return [given("int16", audio if not d.bad() else audio[None])], attrs
