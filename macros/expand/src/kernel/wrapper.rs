//! The function between the runtime and a kernel function: binds each parameter, calls, and sets the outputs.

use oplink_spec::{ArgSpec, OpSpec};
use proc_macro2::{Ident, Span, TokenStream};
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

/// A handle of one argument's slots.
struct Handle {
    /// `mut`, or nothing.
    binding: Option<TokenStream>,
    /// The local that holds it.
    name: Ident,
    ty: TokenStream,
    /// What gives it out.
    given: TokenStream,
}

impl Writer<'_> {
    fn function(&self) -> TokenStream {
        let (private, context) = (&self.private, context());
        let (generics, where_clause) = self.generics();
        let allocate = self.allocate();
        let (before, bind, args) = self.arguments();
        let (apart, slots) = self.apart();
        let (after, call) = (self.after(), self.call(&args));
        quote! {
            #slots
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

    /// The run taken apart into the handles that parameters need, in the declared order; and the function that does so
    /// for all types of a generic kernel, so that each does not compile it again.
    fn apart(&self) -> (TokenStream, TokenStream) {
        let nothing = (TokenStream::new(), TokenStream::new());
        let Some(spec) = self.model.step.spec().filter(|_| self.binder.is_apart) else { return nothing };
        let (private, context, env) = (&self.private, context(), env());
        let (inputs, outputs) = (slots("inputs"), slots("outputs"));
        let handles = self.handles(spec);
        let split = quote! {
            #[allow(unused)]
            let (mut #inputs, mut #outputs, #env) = #private::KernelContext::split(#context);
        };
        let roles = || self.binding.params.iter().map(|param| param.role);
        let has_group = roles().any(|role| matches!(role, Role::Group(Group::Inputs | Group::Outputs)));
        if has_group || self.sig.generics.type_params().next().is_none() {
            let handles =
                handles.iter().map(|Handle { binding, name, given, .. }| quote!(let #binding #name = #given?;));
            return (quote!(#split #(#handles)*), TokenStream::new());
        }
        let (types, given): (Vec<_>, Vec<_>) = handles.iter().map(|handle| (&handle.ty, &handle.given)).unzip();
        let bindings = handles.iter().map(|Handle { binding, name, .. }| quote!(#binding #name));
        let function = quote! {
            #[allow(unused, clippy::type_complexity)]
            fn __oplink_slots<'c>(
                #context: &'c mut #private::KernelContext<'_>,
            ) -> #private::Result<(#(#types,)* #private::Env<'c>)> {
                #split
                ::core::result::Result::Ok((#(#given?,)* #env))
            }
        };
        let bind = quote! {
            #[allow(unused)]
            let (#(#bindings,)* #env) = __oplink_slots(#context)?;
        };
        (bind, function)
    }

    /// The handles that parameters need: those of inputs, then those of outputs.
    fn handles(&self, spec: &OpSpec) -> Vec<Handle> {
        let private = &self.private;
        let roles = || self.binding.params.iter().map(|param| param.role);
        let is_input = |index| roles().any(|role| role == Role::Input(index) || role == Role::InputHandle(index));
        let is_output = |index| roles().any(|role| role == Role::OutputHandle(index));
        let handle = |what: &str, args: &[ArgSpec], index: usize, types: [&str; 2]| {
            let (from, call, arg) = (slots(&format!("{what}s")), slot_call(args, index), &args[index]);
            let ty = Ident::new(types[usize::from(arg.is_sequence())], Span::call_site());
            let name = &arg.name;
            Handle {
                binding: (what == "output").then(|| quote!(mut)),
                name: local(&format!("{what}_slot"), index),
                ty: quote!(#private::#ty<'c>),
                given: quote!(#from.#call(#index, #name)),
            }
        };
        let of_inputs = (0..spec.inputs.len()).filter(|&index| is_input(index));
        let of_inputs = of_inputs.map(|index| handle("input", &spec.inputs, index, ["Input", "InputList"]));
        let of_outputs = (0..spec.outputs.len()).filter(|&index| is_output(index));
        let of_outputs = of_outputs.map(|index| handle("output", &spec.outputs, index, ["OutputSlot", "OutputList"]));
        of_inputs.chain(of_outputs).collect()
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
