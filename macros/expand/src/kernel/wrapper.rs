//! The function between the runtime and a kernel function: binds each parameter, calls, and sets the outputs.

use oplink_spec::{ArgSpec, OpSpec};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericParam, Signature};

use super::KernelModel;
use super::bind::{Binding, Param, Role};
use super::binding::{Args, Binder, Place, context, env, local, slots};
use super::handles::Group;
use crate::op::typed::slot_call;

/// `fn __oplink_run<…>(context) -> Result<()>`.
pub(crate) fn wrapper(model: &KernelModel<'_>, sig: &Signature, binding: &Binding) -> TokenStream {
    Writer { model, sig, binding, private: model.step.private(), binder: Binder::new(model, sig, binding) }.function()
}

struct Writer<'a> {
    model: &'a KernelModel<'a>,
    sig: &'a Signature,
    binding: &'a Binding,
    private: TokenStream,
    binder: Binder<'a>,
}

impl Writer<'_> {
    fn function(&self) -> TokenStream {
        let (private, context) = (&self.private, context());
        let (generics, where_clause) = self.generics();
        let allocate = self.allocate();
        let (before, bind, args) = self.arguments();
        let apart = self.apart();
        let (after, call) = (self.after(), self.call(&args));
        quote! {
            fn __oplink_run #generics (
                #context: &mut #private::KernelContext<'_>,
            ) -> #private::Result<()> #where_clause {
                #allocate
                #before
                #apart
                #bind
                #call
                #after
                ::core::result::Result::Ok(())
            }
        }
    }

    /// The kernel's type parameters with their bounds.
    fn generics(&self) -> (TokenStream, TokenStream) {
        let params = self.sig.generics.params.iter().filter(|param| matches!(param, GenericParam::Type(_)));
        let params: Vec<TokenStream> = params.map(|param| self.binder.anonymous(quote!(#param))).collect();
        let predicates = self.sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let predicates = predicates.filter(|predicate| matches!(predicate, syn::WherePredicate::Type(_)));
        let predicates: Vec<TokenStream> = predicates.map(|one| self.binder.anonymous(quote!(#one))).collect();
        let generics = if params.is_empty() { TokenStream::new() } else { quote!(<#(#params),*>) };
        let clause = if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) };
        (generics, clause)
    }

    /// Allocates the single outputs that parameters write, all from one call of the shape function.
    fn allocate(&self) -> TokenStream {
        let Some(spec) = self.model.step.spec() else { return TokenStream::new() };
        let (private, context) = (&self.private, context());
        let (mut tensors, mut positions) = (Vec::new(), Vec::new());
        for (index, param) in self.binding.params.iter().enumerate() {
            if let Role::Output(output) = param.role
                && !spec.outputs[output].is_sequence()
            {
                let (at, name) = (Args::outputs(spec, private).position(output), &spec.outputs[output].name);
                tensors.push(local("output", index));
                positions.push(quote!((#at, #name)));
            }
        }
        if positions.is_empty() {
            return TokenStream::new();
        }
        quote!(let [#(mut #tensors),*] = #private::allocate_outputs(#context, [#(#positions),*])?;)
    }

    /// What is made before parameters are bound, the bindings, and the arguments of the call.
    fn arguments(&self) -> (TokenStream, TokenStream, Vec<TokenStream>) {
        let (mut before, mut bind, mut args) = (TokenStream::new(), TokenStream::new(), Vec::new());
        let is_read_before =
            |param: &Param| self.binder.is_apart && matches!(param.role, Role::Attr(_) | Role::Group(Group::Attrs));
        for (index, param) in self.binding.params.iter().enumerate() {
            let value = local("argument", index);
            let parts = self.binder.argument(param, index);
            before.extend(parts.before);
            match parts.bind {
                Some(expression) => {
                    let to = if is_read_before(param) { &mut before } else { &mut bind };
                    to.extend(quote!(let #value = #expression;));
                    args.push(quote!(#value));
                }
                None => args.push(context_argument(param.role)),
            }
        }
        (before, bind, args)
    }

    /// The run taken apart into the handles that parameters need, in the declared order.
    fn apart(&self) -> TokenStream {
        let Some(spec) = self.model.step.spec().filter(|_| self.binder.is_apart) else { return TokenStream::new() };
        let roles = || self.binding.params.iter().map(|param| param.role);
        let is_input = |index| roles().any(|role| role == Role::Input(index) || role == Role::InputHandle(index));
        let is_output = |index| roles().any(|role| role == Role::OutputHandle(index));
        let (inputs, outputs) = (slots("inputs"), slots("outputs"));
        let give = |what: &str, args: &[ArgSpec], from: &Ident, is_taken: &dyn Fn(usize) -> bool| -> TokenStream {
            let taken = (0..args.len()).filter(|&index| is_taken(index));
            let handles = taken.map(|index| {
                let (handle, call, name) = (local(what, index), slot_call(args, index), &args[index].name);
                let mutable = (what == "output_slot").then(|| quote!(mut));
                quote!(let #mutable #handle = #from.#call(#index, #name)?;)
            });
            handles.collect()
        };
        let (private, context, env) = (&self.private, context(), env());
        let of_inputs = give("input_slot", &spec.inputs, &inputs, &is_input);
        let of_outputs = give("output_slot", &spec.outputs, &outputs, &is_output);
        quote! {
            #[allow(unused)]
            let (mut #inputs, mut #outputs, #env) = #private::KernelContext::split(#context);
            #of_inputs
            #of_outputs
        }
    }

    /// The call, its values in the locals `value0`, `value1`, ….
    fn call(&self, args: &[TokenStream]) -> TokenStream {
        let name = &self.sig.ident;
        let types: Vec<&Ident> = self.sig.generics.type_params().map(|param| &param.ident).collect();
        let turbofish = if types.is_empty() { TokenStream::new() } else { quote!(::<#(#types),*>) };
        let returned = &self.binding.returned;
        let mut call = quote!(#name #turbofish (#(#args),*));
        if returned.is_result {
            let place = returned.place;
            let (result, start) = (place.local("result"), place.start);
            let path = self.binder.path_at(place, "checked");
            call = quote_spanned!(start=> { let #result = #call; #path(#result)? });
        }
        match self.values().as_slice() {
            [] => quote!(#call;),
            [value] => quote!(let #value = #call;),
            values => quote!(let (#(#values),*) = #call;),
        }
    }

    /// The local names of returned outputs, each at its type's place.
    fn values(&self) -> Vec<Ident> {
        let outputs = self.binding.returned.outputs.iter().enumerate();
        outputs.map(|(index, (_, ty))| Place::of(ty).local(&format!("value{index}"))).collect()
    }

    /// Sets the outputs.
    fn after(&self) -> TokenStream {
        let Some(spec) = self.model.step.spec() else { return TokenStream::new() };
        let params = self.binding.params.iter().enumerate();
        let mut after: TokenStream = params.map(|(index, param)| self.set_written(spec, param, index)).collect();
        for ((output, ty), value) in self.binding.returned.outputs.iter().zip(self.values()) {
            after.extend(self.binder.set_returned(spec, *output, ty, &value));
        }
        after
    }

    fn set_written(&self, spec: &OpSpec, param: &Param, index: usize) -> TokenStream {
        let (private, context, tensor) = (&self.private, context(), local("output", index));
        let outputs = Args::outputs(spec, private);
        match param.role {
            Role::Output(output) if spec.outputs[output].is_sequence() => {
                let (at, name) = (outputs.range(output), &spec.outputs[output].name);
                quote!(#private::set_output_list(#context, #at, #name, #tensor)?;)
            }
            Role::Output(output) => {
                let at = outputs.position(output);
                quote!(#private::set_output(#context, #at, #tensor);)
            }
            Role::InOut { output, .. } => {
                let at = outputs.position(output);
                quote!(#private::set_output(#context, #at, #tensor.into_output());)
            }
            _ => TokenStream::new(),
        }
    }
}

fn context_argument(role: Role) -> TokenStream {
    let context = context();
    if role == Role::ContextMut { quote!(#context) } else { quote!(&*#context) }
}
