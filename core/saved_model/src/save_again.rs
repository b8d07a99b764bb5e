//! Writing a loaded model with the values that its variables have now.

use std::path::Path;

use oplink_api::{Error, Result, ResultExt};
use oplink_graph::RunOptions;
use oplink_proto::SavedModel as File;
use oplink_proto::prost::Message;

use crate::checkpoint_path::{path_tensor, variables_prefix};
use crate::initialize::asset_files;
use crate::write::files::{copy, create_folder, replace};
use crate::{ASSETS, FILE, SavedModel};

impl SavedModel {
    /// Writes the model into a folder, which may be its own: the graph and the signatures as they were, with the
    /// objects of TensorFlow 2 that it has, the values that the variables have now, and the assets. Of a model with
    /// several graphs, the one that is loaded.
    ///
    /// # Errors
    /// `Unimplemented` where the graph's own saver does not write all variables; a variable without a value; a file
    /// that cannot be read or written.
    pub fn save(&self, dir: impl AsRef<Path>) -> Result<()> {
        let dir = dir.as_ref();
        self.write(dir).context_with(|| format!("writing the SavedModel {}", dir.display()))
    }

    fn write(&self, dir: &Path) -> Result<()> {
        if self.outside_of_saver > 0 {
            let message = format!(
                "the saver in the model's graph leaves out {} of its variables; write it with `SavedModelBuilder`",
                self.outside_of_saver
            );
            return Err(Error::unimplemented(message));
        }
        create_folder(dir)?;
        if let Some(saver) = &self.meta.def().saver_def {
            let prefix = variables_prefix(dir);
            prefix.parent().map_or(Ok(()), create_folder)?;
            let feeds = [(saver.filename_tensor_name.as_str(), path_tensor(&prefix))];
            let fetches = [saver.save_tensor_name.as_str()];
            self.session.run_with(&RunOptions::default(), &feeds, &fetches, &[]).context_with(|| "saving variables")?;
        }
        for asset in asset_files(self.meta.def())? {
            create_folder(&dir.join(ASSETS))?;
            copy(&self.dir().join(ASSETS).join(&asset.filename), &dir.join(ASSETS).join(&asset.filename))?;
        }
        // A message of one graph: the bytes of the graph behind those of the file's version.
        let mut bytes = File { saved_model_schema_version: 1, meta_graphs: Vec::new() }.encode_to_vec();
        oplink_proto::prost::encoding::bytes::encode(2, self.meta.bytes(), &mut bytes);
        replace(&dir.join(FILE), &bytes)
    }
}
