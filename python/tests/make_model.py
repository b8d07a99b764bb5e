"""Makes the SavedModel of the tests, by TensorFlow: `python make_model.py`."""

from pathlib import Path

import tensorflow as tf


class Affine(tf.Module):
    """Two calls with a variable of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = tf.Variable([1.0, 2.0, 3.0], name="scale")

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="x")])
    def forward(self, x: tf.Tensor) -> dict[str, tf.Tensor]:
        return {"scaled": x * self.scale, "total": tf.reduce_sum(x * self.scale)}

    @tf.function(input_signature=[tf.TensorSpec([3], tf.float32, name="by")])
    def grow(self, by: tf.Tensor) -> dict[str, tf.Tensor]:
        return {"scale": self.scale.assign_add(by)}


if __name__ == "__main__":
    model = Affine()
    folder = Path(__file__).parent / "data" / "affine"
    tf.saved_model.save(model, str(folder), {"serving_default": model.forward, "grow": model.grow})
