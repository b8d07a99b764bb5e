//! Models that stock TensorFlow wrote.

use oplink::graph::PassOptions;
use oplink::saved_model::LoadOptions;
use oplink::{Result, SavedModel};

use super::expected::{assert_close, calls, model, models};

/// Loads a model and holds each call's outputs against the recorded ones.
fn check(name: &str, passes: PassOptions) -> Result<()> {
    let mut options = LoadOptions::default();
    options.session.passes = passes;
    let loaded = SavedModel::load_with(model(name), &options)?;
    for (number, call) in calls(name)?.iter().enumerate() {
        let outputs = loaded.signature(&call.signature)?.run(&call.given())?;
        let names: Vec<&String> = call.outputs.iter().map(|(name, _)| name).collect();
        assert_eq!(outputs.keys().collect::<Vec<_>>(), names, "{name}, call {number}");
        for (output, want) in &call.outputs {
            assert_close(&format!("{name}, call {number}, {output}"), &outputs[output], want)?;
        }
    }
    Ok(())
}

macro_rules! models {
    ($($name:ident,)*) => {
        $(
            #[test]
            fn $name() -> Result<()> {
                check(stringify!($name), PassOptions::default())
            }
        )*

        /// Every model that the repository holds is called.
        #[test]
        fn all_models_have_a_test() {
            assert_eq!(models(), [$(stringify!($name)),*]);
        }
    };
}

models! {
    assets,
    control_flow,
    ctc_decoder,
    detection,
    dtypes,
    embedding,
    gaussian_process,
    image_classifier,
    input_pipeline,
    keras_cnn,
    keras_lstm,
    keras_training,
    language_model,
    mfcc,
    no_variables,
    quantized_mobilenet,
    ragged,
    shared_variables,
    signatures,
    sparse_factorization,
    string_lookup,
    text_classifier,
    training,
    translation,
    v1_init_op,
    v1_saver,
    v1_sparse,
    wide_and_deep,
}

/// Calls of functions are then nodes that run, not nodes of the graph.
#[test]
fn without_passes() -> Result<()> {
    models().iter().try_for_each(|name| check(name, PassOptions::none()))
}
