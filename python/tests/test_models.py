"""Gradients, variables, traced functions, networks, sessions."""

import tempfile
import unittest
from pathlib import Path

import oplink
from oplink import Tensor, nn, ops

GRAPH = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
"""


class Gradients(unittest.TestCase):
    def test_of_a_watched_tensor_and_a_variable(self) -> None:
        x, w = Tensor([3.0]), oplink.Variable([2.0], name="w")
        with oplink.Tape() as tape:
            tape.watch(x)
            y = x * x * w
        dx, dw = tape.gradient(y, [x, w])
        self.assertEqual((dx.tolist(), dw.tolist()), ([12.0], [9.0]))

    def test_one_gradient_unless_persistent(self) -> None:
        w = oplink.Variable(2.0)
        for persistent in (False, True):
            with oplink.Tape(persistent=persistent) as tape:
                y = w * w
            self.assertEqual(tape.gradient(y, w).item(), 4.0)
            if persistent:
                self.assertEqual(tape.gradient(y, w).item(), 4.0)
            else:
                with self.assertRaises(oplink.Error):
                    tape.gradient(y, w)

    def test_variables_change(self) -> None:
        w = oplink.Variable([1.0, 2.0])
        w.assign_add([1, 1])
        w.assign_sub([0.5, 0.5])
        self.assertEqual(w.numpy().tolist(), [1.5, 2.5])
        with self.assertRaisesRegex(ValueError, "cannot take"):
            w.assign([1.0])


class Functions(unittest.TestCase):
    def test_traced_once_for_each_signature(self) -> None:
        w = oplink.Variable(2.0)

        @oplink.function
        def f(x: Tensor) -> Tensor:
            """The body's own documentation."""
            return ops.Tanh(x) * w

        self.assertEqual(f.__doc__, "The body's own documentation.")

        first = f(Tensor([1.0])).item()
        w.assign(4.0)
        self.assertAlmostEqual(f(Tensor([1.0])).item(), 2 * first, places=6)
        f(Tensor([1.0, 2.0]))
        self.assertEqual(f.num_traces, 2)

    def test_exceptions_of_the_body_come_through(self) -> None:
        @oplink.function
        def f(x: Tensor) -> Tensor:
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            f(1.0)


class Networks(unittest.TestCase):
    def test_training_lowers_the_loss(self) -> None:
        nn.set_seed(1)
        model = nn.Sequential(nn.Dense(2, 8, "tanh"), nn.Dense(8, 1))
        optimizer = nn.Adam(model.trainable_variables, 0.05)
        x, y = Tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), Tensor([[0.0], [1.0], [1.0], [0.0]])
        losses = []
        for _ in range(200):
            with oplink.Tape() as tape:
                loss = nn.mean_squared_error(y, model(x, training=True))
            optimizer.apply(tape.gradient(loss, model.trainable_variables))
            losses.append(loss.item())
        self.assertLess(losses[-1], losses[0] / 10)
        self.assertEqual(optimizer.iterations, 200)
        self.assertEqual(list(model.variables)[0], "layers.0.kernel")

    def test_training_goes_on_from_a_saved_state(self) -> None:
        def step(model: nn.Sequential, optimizer: nn.Optimizer) -> None:
            with oplink.Tape() as tape:
                loss = nn.mean_squared_error([[1.0]], model([[1.0, 2.0]]))
            optimizer.apply(tape.gradient(loss, model.trainable_variables))

        def trained() -> tuple[nn.Sequential, nn.Optimizer]:
            nn.set_seed(3)
            model = nn.Sequential(nn.Dense(2, 1))
            return model, nn.Adam(model.trainable_variables, 0.1, global_clipnorm=1.0)

        first, optimizer = trained()
        step(first, optimizer)
        saved = [{name: v.numpy() for name, v in part.items()} for part in (first.variables, optimizer.state)]
        step(first, optimizer)
        self.assertIn("0.momentum", saved[1])
        second, other = trained()
        for variables, values in zip((second.variables, other.state), saved):
            for name, value in values.items():
                variables[name].assign(value)
        step(second, other)
        self.assertEqual(other.iterations, 2)
        for name, variable in first.variables.items():
            self.assertEqual(variable.numpy().tolist(), second.variables[name].numpy().tolist())

    def test_steps_are_accumulated(self) -> None:
        w = oplink.Variable([4.0])
        optimizer = nn.SGD([w], 0.5, gradient_accumulation_steps=2)
        for gradient, expected in ((2.0, 4.0), (6.0, 2.0)):
            optimizer.apply([Tensor([gradient])])
            self.assertEqual(w.numpy().tolist(), [expected])
        self.assertEqual(optimizer.iterations, 1)

    def test_modules_are_written_as_saved_models(self) -> None:
        model = nn.Sequential(nn.Dense(2, 3), nn.BatchNormalization(3))
        x = [[1.0, 2.0], [-1.0, 0.5]]

        def classify(x: Tensor) -> dict[str, Tensor]:
            return {"logits": model(x), "label": ops.ArgMax(model(x), 1)}

        def fails(x: Tensor) -> Tensor:
            raise KeyError("mine")

        spec = {"x": ((None, 2), "float32")}
        with tempfile.TemporaryDirectory() as folder:
            nn.export(model, folder, {"serving_default": (classify, spec), "logits": (model, spec)})
            loaded = oplink.SavedModel(folder)
            called, single = loaded["serving_default"](x=x), loaded["logits"](x=x)
            for error, signature in ((KeyError, (fails, spec)), (oplink.Error, (classify, {"x": ((2,), "int64")}))):
                with self.assertRaises(error):
                    nn.export(model, folder, {"serving_default": signature})
        self.assertEqual(called["logits"].tolist(), model(x).tolist())
        self.assertEqual(single["output_0"].tolist(), model(x).tolist())
        self.assertEqual(called["label"].shape, (2,))

    def test_shapes_of_layers(self) -> None:
        image, sequence = Tensor([[[[1.0]] * 8] * 8]), Tensor([[[1.0, 2.0]] * 5])
        self.assertEqual(nn.Conv2D(1, 4, 3, padding="same", activation="relu")(image).shape, (1, 8, 8, 4))
        self.assertEqual(nn.MaxPooling2D()(image).shape, (1, 4, 4, 1))
        self.assertEqual(nn.LSTM(2, 3)(sequence).shape, (1, 3))
        self.assertEqual(nn.GRU(2, 3, return_sequences=True)(sequence).shape, (1, 5, 3))
        with self.assertRaisesRegex(ValueError, "no activation `rely`"):
            nn.Dense(1, 1, "rely")


class Sessions(unittest.TestCase):
    def test_a_graph_of_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "graph.pbtxt"
            file.write_text(GRAPH)
            session = oplink.Session(file)
        self.assertEqual((session.placeholders(), session.outputs()), (["x"], ["y"]))
        self.assertEqual(session.run("y", {"x": [-1.0, 2.0]}).tolist(), [0.0, 2.0])
        (y,) = session.run(["y:0"], {"x:0": [3]})
        self.assertEqual(y.tolist(), [3.0])
        with self.assertRaises(oplink.Error):
            session.run("z")

    def test_what_is_not_there(self) -> None:
        with self.assertRaises(oplink.errors.IoError):
            oplink.SavedModel("/nowhere")
        with self.assertRaises(oplink.errors.PluginRejectedError):
            oplink.load_plugin("/nowhere.so")


if __name__ == "__main__":
    unittest.main()
