//! The C++ and the memory of kernels: the properties of a family, for each of its instances.

use std::collections::BTreeSet;

use aiec_diag::{Span, Spanned, catalogue, nearest};
use aiec_dsl::ast::{self, Argument as Written, Bytes, Expr, ExprKind, Ident, KernelProperty};
use aiec_ir::design::{Argument, Body, Decimals, Family, is_code_name};
use aiec_ir::{CascadeType, ElementType, FamilyId};

use crate::errors;
use crate::eval::Lookup;
use crate::lower::Context;
use crate::meant::{OTHER_NUMBERS, OTHER_TYPES, meant};
use crate::names::Use;
use crate::scalar::Scalar;
use crate::{Lowered, Reported};

/// Most cycles of one run of a kernel: about a second at 1.25 GHz. A larger number is a mistake.
const MOST_CYCLES: u32 = 1_000_000_000;

/// The properties of one kernel as written, each as it was given first.
#[derive(Default)]
struct Properties<'a> {
    source: Option<Spanned<&'a Spanned<String>>>,
    stack: Option<Spanned<&'a Bytes>>,
    heap: Option<Spanned<&'a Bytes>>,
    runtime: Option<Spanned<&'a Spanned<String>>>,
    program: Option<Spanned<&'a Bytes>>,
    repetitions: Option<Spanned<&'a Expr>>,
    cycles: Option<Spanned<&'a Expr>>,
    function: Option<Spanned<&'a Ident>>,
    header: Option<Spanned<&'a Spanned<String>>>,
    init: Option<Spanned<&'a Spanned<String>>>,
    template: Option<Spanned<&'a [Written]>>,
    arguments: Option<Spanned<&'a [Written]>>,
}

/// True for a property of the C++ of a kernel that a kernel in a collective cannot have.
const fn is_own(property: &KernelProperty) -> bool {
    use KernelProperty as P;
    matches!(property, P::Function(_) | P::Header(_) | P::Template(_) | P::Arguments(_) | P::Init(_))
}

impl<'a> Context<'a> {
    /// The bodies of a family with these extents: one, or one for each instance if its indices have
    /// names. Stops at the first faulty body; other instances would repeat its diagnostic.
    pub fn bodies(&mut self, kernel: &'a ast::Kernel, dims: &[u32]) -> Vec<Body> {
        let names: Vec<Option<&Ident>> = kernel.dims.iter().map(|dim| dim.index.as_ref()).collect();
        let is_named = names.iter().any(Option::is_some) && dims.len() == names.len();
        let count = if is_named { dims.iter().product() } else { 1 };
        let mut bodies: Vec<Body> = Vec::new();
        let before = (self.diagnostics.len(), self.at.variables.len());
        for index in 0..count {
            let position = aiec_ir::design::position(dims, index);
            let named = names.iter().zip(position.into_iter().chain(std::iter::repeat(0)));
            let variables: Vec<(&Ident, i64)> =
                named.filter_map(|(name, at)| Some(((*name)?, i64::from(at)))).collect();
            self.at.variables.extend(variables);
            let body = self.body(kernel);
            self.name_indices(before.0);
            self.at.variables.truncate(before.1);
            bodies.push(body);
            if self.diagnostics.len() > before.0 {
                bodies.truncate(1);
                return bodies;
            }
        }
        if bodies.windows(2).all(|two| two[0] == two[1]) {
            bodies.truncate(1);
        }
        bodies
    }

    /// Adds the indices of the instance to the messages from `first` on that are about values.
    fn name_indices(&mut self, first: usize) {
        let within = self.within();
        let of_values = [&catalogue::BAD_VALUE, &catalogue::ARITHMETIC, &catalogue::INDEX_OUT_OF_RANGE];
        for fault in self.diagnostics.iter_mut().skip(first) {
            if of_values.iter().any(|code| code.slug == fault.code.slug) {
                fault.message.push_str(&within);
            }
        }
    }

    fn body(&mut self, kernel: &'a ast::Kernel) -> Body {
        let mut found = Properties::default();
        let name = &kernel.name;
        let nameless = Body::of(name.value.clone(), Spanned::new(String::new(), name.span));
        if self.properties_of(&kernel.properties, &mut found).is_err() {
            return nameless;
        }
        let bytes = |context: &mut Self, given: Option<Spanned<&Bytes>>, what| {
            given.and_then(|given| context.bytes(given.value, what, 1))
        };
        let mut body = Body {
            stack: bytes(self, found.stack.take(), "the stack"),
            heap: bytes(self, found.heap.take(), "the heap"),
            program: bytes(self, found.program.take(), "program memory"),
            runtime: found.runtime.take().and_then(|ratio| self.ratio(ratio.value)),
            repetitions: found.repetitions.take().and_then(|times| self.repetitions(times.value)),
            cycles: found.cycles.take().and_then(|cycles| self.own_cycles(cycles.value)),
            ..nameless
        };
        match &found.source {
            Some(source) => body.source = Spanned::new(self.path(source.value, false), source.value.span),
            None => {
                let (owner, line) =
                    (format!("kernel `{}`", name.value), format!("source \"kernels/{}.cc\"", name.value));
                let example = format!("`{line}`, the path of its C++ file");
                let fault = errors::missing_item(name.span, &owner, "source", &example);
                // Under a condition the source may be there.
                let is_plain =
                    !kernel.properties.iter().any(|one| matches!(one.value, KernelProperty::If(_)));
                let place = Span { start: kernel.body.start + 1, ..kernel.body }.before();
                let edit = is_plain.then(|| (place, format!(" {line} ")));
                self.report(fault.fix(format!("add `{line}`"), edit));
            }
        }
        self.code(kernel, &found, &mut body);
        body
    }

    /// The runs of a kernel in one iteration of the graph.
    fn repetitions(&mut self, times: &Expr) -> Option<Spanned<u32>> {
        let most = aiec_ir::rates::MOST_REPETITIONS;
        let value = self.number_within(times, "the number of runs in an iteration", 1, most)?;
        Some(Spanned::new(value, times.span))
    }

    /// The cycles of one run of a kernel.
    fn own_cycles(&mut self, cycles: &Expr) -> Option<Spanned<u32>> {
        let value = self.number_within(cycles, "the number of cycles of a run", 0, MOST_CYCLES)?;
        Some(Spanned::new(value, cycles.span))
    }

    /// The properties that the conditions leave, in order.
    fn properties_of(
        &mut self,
        properties: &'a [Spanned<KernelProperty>],
        found: &mut Properties<'a>,
    ) -> Lowered<()> {
        use KernelProperty as P;
        for property in properties {
            let span = property.span;
            match &property.value {
                P::Source(path) => self.once(&mut found.source, "source", path, span),
                P::Stack(bytes) => self.once(&mut found.stack, "stack", bytes, span),
                P::Heap(bytes) => self.once(&mut found.heap, "heap", bytes, span),
                P::Runtime(ratio) => self.once(&mut found.runtime, "runtime", ratio, span),
                P::Program(bytes) => self.once(&mut found.program, "program", bytes, span),
                P::Repetitions(times) => self.once(&mut found.repetitions, "repetitions", times, span),
                P::Cycles(cycles) => self.once(&mut found.cycles, "cycles", cycles, span),
                P::Function(name) => self.once(&mut found.function, "function", name, span),
                P::Header(path) => self.once(&mut found.header, "header", path, span),
                P::Init(function) => self.once(&mut found.init, "init", function, span),
                P::Template(list) => self.once(&mut found.template, "template", list.as_slice(), span),
                P::Arguments(list) => self.once(&mut found.arguments, "arguments", list.as_slice(), span),
                P::If(choice) => {
                    let taken = self.branch(choice)?;
                    self.properties_of(taken, found)?;
                }
            }
        }
        Ok(())
    }

    /// Function or class, header, template, constructor and `init`.
    fn code(&mut self, kernel: &ast::Kernel, found: &Properties<'_>, body: &mut Body) {
        if let Some(function) = &found.function {
            self.check_code_name(function.value);
            body.function.clone_from(&function.value.value);
        }
        let header = found.header.as_ref().map(|header| header.value);
        body.header = header.map(|header| Spanned::new(self.path(header, false), header.span));
        if let Some(init) = found.init.as_ref().map(|init| init.value) {
            let name = Spanned::new(init.value.clone(), init.span);
            if is_code_name(&init.value) {
                self.check_code_name(&name);
            } else {
                self.report(errors::bad_identifier(init.span, &init.value, "it is no name of a function"));
            }
            body.init = Some(name);
        }
        if let Some(template) = &found.template {
            let all: Vec<_> = template.value.iter().map(|one| self.template_argument(one)).collect();
            body.template = all.into_iter().flatten().collect();
        }
        if let Some(arguments) = &found.arguments {
            let all: Vec<_> = arguments.value.iter().map(|one| self.constructor_argument(one)).collect();
            body.arguments = Some(all.into_iter().flatten().collect());
        }
        let needs = found.template.as_ref().map(|template| template.span);
        let needs = found.arguments.as_ref().map(|arguments| arguments.span).or(needs);
        if let Some(span) = needs.filter(|_| header.is_none()) {
            let (owner, line) = (
                format!("kernel `{}`", kernel.name.value),
                format!("header \"kernels/{}.h\"", body.function),
            );
            let example = format!("`{line}`, which declares the class or template");
            let fault = errors::missing_item(span, &owner, "header", &example);
            self.report(fault.fix(format!("add `{line}`"), [(span.before(), format!("{line}  "))]));
        }
    }

    /// Checks the name of a function or class, with the namespaces around it.
    fn check_code_name(&mut self, name: &Ident) {
        for (at, part) in name.value.split("::").enumerate() {
            let part = Spanned::new(part.to_owned(), name.span);
            self.check_identifier(&part, if at == 0 { Use::Function } else { Use::Scoped });
        }
    }

    /// A type or a number.
    fn template_argument(&mut self, argument: &Written) -> Option<Argument> {
        if let (ExprKind::Name(name), None) = (&argument.value.kind, &argument.class)
            && self.lookup(name) == Lookup::Unknown
            && self.at.written.find(name).is_none()
            && meant(name, &OTHER_NUMBERS).is_none()
        {
            let (span, found) = (argument.value.span, CascadeType::from_name(name));
            let names = CascadeType::names().collect::<Vec<_>>();
            return self.known_class(name, span, found, &names).map(Argument::Type);
        }
        let found = self.number_argument(argument)?;
        if let Argument::Decimals(Decimals::One(number)) = found {
            self.report(errors::decimal(argument.value.span, &number.to_string()));
            return None;
        }
        Some(found)
    }

    /// A number or a table.
    fn constructor_argument(&mut self, argument: &Written) -> Option<Argument> {
        let ExprKind::Name(name) = &argument.value.kind else { return self.number_argument(argument) };
        let values = match self.lookup(name) {
            Lookup::Table(values) => values,
            Lookup::Decimals(values) => {
                return self.is_float(argument).then_some(Argument::Decimals(Decimals::Table(values)));
            }
            _ => return self.number_argument(argument),
        };
        let class = match &argument.class {
            Some(class) => self.scalar(class)?,
            None => ElementType::Int32,
        };
        values.iter().try_for_each(|&value| self.fits(value, class, argument.value.span)).ok()?;
        Some(Argument::Table { values, class })
    }

    fn number_argument(&mut self, argument: &Written) -> Option<Argument> {
        let value = match self.scalar_value(&argument.value)? {
            Scalar::Whole(value) => value,
            Scalar::Decimal(number) => {
                return self.is_float(argument).then_some(Argument::Decimals(Decimals::One(number)));
            }
        };
        let class = match &argument.class {
            Some(class) => Some(self.scalar(class)?),
            None => None,
        };
        if let Some(class) = class {
            self.fits(value, class, argument.value.span).ok()?;
        }
        Some(Argument::Number { value, class })
    }

    /// True if numbers with a point may have the type of the argument; reports another type.
    fn is_float(&mut self, argument: &Written) -> bool {
        let Some(class) = &argument.class else { return true };
        let Some(found) = self.scalar(class) else { return false };
        if found != ElementType::Float {
            self.report(errors::decimal_as(class.span, found.name()));
        }
        found == ElementType::Float
    }

    /// A type that whole numbers convert to.
    fn scalar(&mut self, class: &Ident) -> Option<ElementType> {
        let found = self.class(&class.value, class.span)?;
        let is_complex = found.name().starts_with('c');
        if is_complex {
            self.report(errors::complex_argument(class.span, &class.value));
        }
        (!is_complex).then_some(found)
    }

    fn class(&mut self, name: &str, span: Span) -> Option<ElementType> {
        let names = ElementType::ALL.map(ElementType::name);
        self.known_class(name, span, ElementType::from_name(name), &names)
    }

    /// The type that was found for `name`, of those with these `names`. Reports a name without one.
    fn known_class<T>(&mut self, name: &str, span: Span, found: Option<T>, names: &[&str]) -> Option<T> {
        if found.is_none() {
            let near = nearest(name, names.iter().copied());
            self.report(match meant(name, &OTHER_TYPES) {
                Some((right, why)) => errors::other_word(span, "constant or type", name, right, why),
                None => errors::unknown_word(span, "constant or type", name, names, near),
            });
        }
        found
    }

    /// Reports a value that a type of whole numbers does not hold.
    fn fits(&mut self, value: i64, class: ElementType, span: Span) -> Lowered<()> {
        let (name, bits) = (class.name(), 8 * class.bytes());
        let (least, most) = match name {
            "float" => return Ok(()),
            _ if name.starts_with('u') => (0, (1i128 << bits) - 1),
            _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        };
        if (least..=most).contains(&value.into()) {
            return Ok(());
        }
        let clip = |limit: i128| i64::try_from(limit).unwrap_or(i64::MAX);
        let what = format!("an argument of type {name}");
        let excess =
            errors::Excess { span, what: &what, value: value.into(), least: clip(least), most: clip(most) };
        self.report(errors::out_of_range(&excess));
        Err(Reported)
    }

    /// Reports properties that kernels of collectives cannot have: aiec writes their classes.
    pub fn check_code_of_ranks(&mut self, id: FamilyId, family: &Family) {
        let own = |body: &&Body| {
            body.function != family.local()
                || body.header.is_some()
                || !body.template.is_empty()
                || body.arguments.is_some()
                || body.init.is_some()
                || body.source.value != family.body(0).source.value
        };
        if family.bodies.iter().any(|body| own(&body)) {
            let fault = errors::code_of_ranks(family.span, &family.name);
            let sources: BTreeSet<&str> =
                family.bodies.iter().map(|body| body.source.value.as_str()).collect();
            let kernel = self.kernels.get(id).copied().flatten().filter(|_| sources.len() == 1);
            let own =
                kernel.into_iter().flat_map(ast::Kernel::all_properties).filter(|one| is_own(&one.value));
            let edits: Vec<_> = own.map(|property| (property.span, "")).collect();
            self.report(fault.fix("remove what makes its C++ its own", edits));
        }
    }
}
