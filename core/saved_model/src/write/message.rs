//! The message of a written model.

use std::collections::BTreeMap;

use oplink_api::PartialShape;
use oplink_graph::shape_to_proto;
use oplink_proto::collection_def::{BytesList, Kind, NodeList};
use oplink_proto::meta_graph_def::MetaInfoDef;
use oplink_proto::prost::Message;
use oplink_proto::tensor_info::Encoding;
use oplink_proto::{CollectionDef, MetaGraphDef, OpList, SavedModel, SignatureDef, TensorInfo, VariableDef};

use super::{Parts, descriptions};
use crate::INIT_OP;

/// The version of the file's format.
const SCHEMA_VERSION: i64 = 1;

/// The version of TensorFlow whose formats are written.
const TENSORFLOW_VERSION: &str = "2.21.0";

/// The whole file.
pub(super) fn saved_model(parts: Parts) -> SavedModel {
    let collections = collections(&parts);
    let info = MetaInfoDef {
        tags: parts.tags,
        tensorflow_version: TENSORFLOW_VERSION.to_owned(),
        stripped_op_list: Some(OpList { op: parts.ops }),
        ..MetaInfoDef::default()
    };
    let init = parts.init_op.map(|node| (INIT_OP.to_owned(), init_signature(node)));
    let meta = MetaGraphDef {
        meta_info_def: Some(info),
        graph_def: Some(parts.graph),
        saver_def: parts.saver,
        collection_def: collections,
        signature_def: parts.signatures.into_iter().chain(init).collect(),
        asset_file_def: parts.assets.iter().map(super::Asset::message).collect(),
        object_graph_def: None,
    };
    SavedModel { saved_model_schema_version: SCHEMA_VERSION, meta_graphs: vec![meta] }
}

fn collections(parts: &Parts) -> BTreeMap<String, CollectionDef> {
    let list = |variables: Vec<&VariableDef>| {
        let value = variables.into_iter().map(|variable| variable.encode_to_vec().into()).collect();
        CollectionDef { kind: Some(Kind::BytesList(BytesList { value })) }
    };
    let mut collections: BTreeMap<String, CollectionDef> =
        descriptions::collection(&parts.descriptions).into_iter().collect();
    if !parts.variables.is_empty() {
        let trainable: Vec<&VariableDef> = parts.variables.iter().filter(|variable| variable.trainable).collect();
        collections.insert("variables".to_owned(), list(parts.variables.iter().collect()));
        if !trainable.is_empty() {
            collections.insert("trainable_variables".to_owned(), list(trainable));
        }
    }
    if let Some(node) = &parts.init_op {
        let nodes = CollectionDef { kind: Some(Kind::NodeList(NodeList { value: vec![node.clone()] })) };
        collections.insert("saved_model_main_op".to_owned(), nodes);
    }
    collections
}

/// The signature that names the node to run when the model is loaded.
fn init_signature(node: String) -> SignatureDef {
    let info = TensorInfo {
        dtype: 0,
        tensor_shape: Some(shape_to_proto(&PartialShape::unknown())),
        encoding: Some(Encoding::Name(node)),
    };
    SignatureDef { outputs: BTreeMap::from([(INIT_OP.to_owned(), info)]), ..SignatureDef::default() }
}
