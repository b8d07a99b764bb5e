//! `host_memory` and `forward` against the op's arguments.

use oplink_spec::{ArgSpec, OpSpec};

use super::parse::KernelKeys;
use super::step::Step;
use crate::errors::Errors;
use crate::keys::Name;
use crate::text::{guess, list_or_none};

pub(crate) fn check(step: &Step, keys: &KernelKeys, errors: &mut Errors) {
    repeated(&keys.host_memory, "`host_memory` names it twice", errors);
    for (index, (from, to)) in keys.forward.iter().enumerate() {
        let earlier = &keys.forward[..index];
        if earlier.iter().any(|pair| pair.1.text == to.text) {
            errors.at_span(to.span, "another input is already forwarded to this output");
        } else if earlier.iter().any(|pair| pair.0.text == from.text) {
            errors.at_span(from.span, "this input is already forwarded to another output; one can have its memory");
        }
    }
    if let Some(spec) = step.spec() {
        for name in &keys.host_memory {
            host_memory(spec, name, errors);
        }
        for (from, to) in &keys.forward {
            forward(spec, from, to, errors);
        }
    }
}

fn repeated(names: &[Name], message: &str, errors: &mut Errors) {
    for (index, name) in names.iter().enumerate() {
        if names[..index].iter().any(|other| other.text == name.text) {
            errors.at_span(name.span, message);
        }
    }
}

fn host_memory(spec: &OpSpec, name: &Name, errors: &mut Errors) {
    if spec.input(&name.text).is_some() || spec.output(&name.text).is_some() {
        return;
    }
    let args: Vec<&str> = spec.inputs.iter().chain(&spec.outputs).map(|arg| arg.name.as_str()).collect();
    let near = guess(&name.text, args.iter().copied());
    let message = format!(
        "op `{}` has no input or output `{}`{near}\n{}",
        spec.name,
        name.text,
        list_or_none(&args, "arguments")
    );
    errors.at_span(name.span, message);
}

fn forward(spec: &OpSpec, from: &Name, to: &Name, errors: &mut Errors) {
    let input = find(spec, &spec.inputs, from, "input", errors);
    let output = find(spec, &spec.outputs, to, "output", errors);
    let (Some(input), Some(output)) = (input, output) else { return };
    for (arg, name) in [(input, from), (output, to)] {
        if arg.is_sequence() {
            errors.at_span(name.span, format!("`{}` is a sequence of tensors, which cannot be forwarded", name.text));
            return;
        }
    }
    if input.ty != output.ty {
        let type_of =
            |arg: &ArgSpec| arg.to_string().split_once(':').map_or(String::new(), |(_, ty)| ty.trim().to_owned());
        let message = format!(
            "`{}` is of type `{}` and `{}` of type `{}`: memory is forwarded between equal types only",
            from.text,
            type_of(input),
            to.text,
            type_of(output)
        );
        errors.at_span(from.span, message);
    }
}

fn find<'a>(spec: &OpSpec, args: &'a [ArgSpec], name: &Name, what: &str, errors: &mut Errors) -> Option<&'a ArgSpec> {
    let found = args.iter().find(|arg| arg.name == name.text);
    if found.is_none() {
        let names: Vec<&str> = args.iter().map(|arg| arg.name.as_str()).collect();
        let near = guess(&name.text, names.iter().copied());
        let all = list_or_none(&names, &format!("{what}s"));
        errors.at_span(name.span, format!("op `{}` has no {what} `{}`{near}\n{all}", spec.name, name.text));
    }
    found
}
