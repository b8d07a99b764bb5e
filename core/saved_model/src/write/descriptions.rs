//! What signatures and their tensors are, in words. SavedModels have no field for it: it is in a collection of the
//! graph's, a declaration for each signature, which other readers pass over.

use oplink_proto::collection_def::{BytesList, Kind};
use oplink_proto::op_def::ArgDef;
use oplink_proto::prost::Message;
use oplink_proto::{CollectionDef, MetaGraphDef, OpDef};

use super::SignatureBuilder;
use crate::signature::{SignatureInfo, TensorInfo};

/// The name of the collection.
const COLLECTION: &str = "signature_descriptions";

/// The declaration of a signature that is described.
pub(super) fn describe(name: &str, signature: &SignatureBuilder) -> Option<OpDef> {
    if signature.description.is_empty() && signature.descriptions.is_empty() {
        return None;
    }
    let args = |tensors: &[(String, oplink_api::Output)]| {
        let described = signature.descriptions.iter().filter(|(name, _)| tensors.iter().any(|(own, _)| own == name));
        let arg = |(name, text): &(String, String)| ArgDef {
            name: name.clone(),
            description: text.clone(),
            ..ArgDef::default()
        };
        described.map(arg).collect()
    };
    Some(OpDef {
        name: name.to_owned(),
        description: signature.description.clone(),
        input_arg: args(&signature.inputs),
        output_arg: args(&signature.outputs),
        ..OpDef::default()
    })
}

/// The collection; `None` where nothing is described.
pub(super) fn collection(descriptions: &[OpDef]) -> Option<(String, CollectionDef)> {
    let value = descriptions.iter().map(|description| description.encode_to_vec().into()).collect();
    let collection = CollectionDef { kind: Some(Kind::BytesList(BytesList { value })) };
    (!descriptions.is_empty()).then(|| (COLLECTION.to_owned(), collection))
}

/// The declarations in a message; what is none is passed over.
pub(crate) fn read(def: &MetaGraphDef) -> Vec<OpDef> {
    match def.collection_def.get(COLLECTION).and_then(|collection| collection.kind.as_ref()) {
        Some(Kind::BytesList(list)) => {
            list.value.iter().filter_map(|bytes| oplink_proto::from_bytes(bytes.clone()).ok()).collect()
        }
        _ => Vec::new(),
    }
}

/// Adds the words to a signature.
pub(crate) fn add(info: &mut SignatureInfo, described: &OpDef) {
    info.description.clone_from(&described.description);
    let fill = |tensors: &mut [TensorInfo], args: &[ArgDef]| {
        for tensor in tensors {
            if let Some(arg) = args.iter().find(|arg| arg.name == tensor.name) {
                tensor.description.clone_from(&arg.description);
            }
        }
    };
    fill(&mut info.inputs, &described.input_arg);
    fill(&mut info.outputs, &described.output_arg);
}
