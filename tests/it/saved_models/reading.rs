//! Models that stock TensorFlow wrote.

use oplink::{Result, SavedModel};

use super::expected::{assert_close, calls, model};

/// Loads a model and holds each call's outputs against the recorded ones.
fn check(name: &str) -> Result<SavedModel> {
    let loaded = SavedModel::load(model(name))?;
    for (number, call) in calls(name)?.iter().enumerate() {
        let outputs = loaded.signature(&call.signature)?.run(&call.given())?;
        let names: Vec<&String> = call.outputs.iter().map(|(name, _)| name).collect();
        assert_eq!(outputs.keys().collect::<Vec<_>>(), names, "{name}, call {number}");
        for (output, want) in &call.outputs {
            assert_close(&format!("{name}, call {number}, {output}"), &outputs[output], want)?;
        }
    }
    Ok(loaded)
}

macro_rules! models {
    ($($name:ident,)*) => {
        $(
            #[test]
            fn $name() -> Result<()> {
                check(stringify!($name)).map(drop)
            }
        )*

        /// Every model that the repository holds is called.
        #[test]
        fn all_models_have_a_test() {
            let folder = std::fs::read_dir(model("")).expect("the folder of models");
            let mut found: Vec<String> = folder
                .flatten()
                .filter(|entry| entry.path().is_dir())
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            found.sort();
            assert_eq!(found, [$(stringify!($name)),*]);
        }
    };
}

models! {
    assets,
    control_flow,
    dtypes,
    embedding,
    keras_cnn,
    keras_lstm,
    no_variables,
    ragged,
    shared_variables,
    signatures,
    string_lookup,
    training,
    v1_init_op,
    v1_saver,
    v1_sparse,
}
