//! Kernels.

use super::{BuildError, Parts};
use crate::axes::MemoryKind;
use melior::Context;
use melior::ir::block::BlockLike;
use melior::ir::{Attribute, Block, Location, Operation, Region, RegionLike, Type};
use xpu_dialect::types;

/// An argument of a kernel: a memref or a scalar, with what is said of it.
#[derive(Clone, Debug)]
pub struct KernelArgument<'c> {
    ty: Type<'c>,
    memory: Option<MemoryKind>,
    attributes: Vec<(String, Attribute<'c>)>,
}

impl<'c> KernelArgument<'c> {
    /// An argument of which nothing else is said.
    pub fn new(ty: Type<'c>) -> Self {
        Self {
            ty,
            memory: None,
            attributes: Vec::new(),
        }
    }

    /// Says where its memory may live (`xpu.memory`), whatever the scopes of its atomics promise.
    #[must_use]
    pub fn memory(mut self, memory: MemoryKind) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Adds an attribute, of any dialect but xpu.
    #[must_use]
    pub fn attribute(mut self, name: &str, value: Attribute<'c>) -> Self {
        self.attributes.retain(|(other, _)| other != name);
        self.attributes.push((name.to_owned(), value));
        self
    }

    /// All that is said of it.
    fn dictionary(&self, context: &'c Context) -> Attribute<'c> {
        let memory = self.memory.and_then(|memory| {
            let text = format!("#xpu.memory<{memory}>");
            Some(("xpu.memory", Attribute::parse(context, &text)?))
        });
        let others = self
            .attributes
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .filter(|(name, _)| memory.is_none_or(|(memory, _)| memory != *name));
        let entries: Vec<_> = others.chain(memory).collect();
        types::dictionary_attribute(context, &entries)
    }
}

impl<'c> From<Type<'c>> for KernelArgument<'c> {
    fn from(ty: Type<'c>) -> Self {
        Self::new(ty)
    }
}

/// Makes an `xpu.kernel`; see [`kernel`].
#[derive(Debug)]
#[must_use = "nothing is made before `build`"]
pub struct Kernel<'c> {
    context: &'c Context,
    name: String,
    workgroup_size: [u32; 3],
    location: Location<'c>,
    arguments: Vec<KernelArgument<'c>>,
    attributes: Vec<(String, Attribute<'c>)>,
}

/// `xpu.kernel`: what each work-item of a launch runs, in workgroups of `workgroup_size` work-items in
/// x, y and z, together at most 1024.
pub fn kernel<'c>(
    context: &'c Context,
    name: &str,
    workgroup_size: [u32; 3],
    location: Location<'c>,
) -> Kernel<'c> {
    Kernel {
        context,
        name: name.to_owned(),
        workgroup_size,
        location,
        arguments: Vec::new(),
        attributes: Vec::new(),
    }
}

impl<'c> Kernel<'c> {
    /// Adds an argument: a [`Type`], or a [`KernelArgument`] to say more of it.
    pub fn argument(mut self, argument: impl Into<KernelArgument<'c>>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Lets every `fadd` and `fsub` of it flush subnormals.
    pub fn flush_denormals(self) -> Self {
        let flush = types::string_attribute(self.context, "flush");
        self.attribute("xpu.denormals", flush)
    }

    /// Adds an attribute.
    pub fn attribute(mut self, name: &str, value: Attribute<'c>) -> Self {
        self.attributes.push((name.to_owned(), value));
        self
    }

    /// Makes the kernel with a body of one block, which `fill` is given, its arguments being those of
    /// the kernel. An `xpu.return` is added where the block has no terminator.
    ///
    /// # Errors
    ///
    /// Those of `fill`; where the context does not know the dialect; and where the kernel does not
    /// verify, or anything in it.
    pub fn build<E: From<BuildError>>(
        self,
        fill: impl FnOnce(&Block<'c>) -> Result<(), E>,
    ) -> Result<Operation<'c>, E> {
        let (region, kernel) = self.filled(fill)?;
        Ok(kernel.build_with_region(region)?)
    }

    /// Makes the kernel with a body of several blocks; the first has the kernel's arguments.
    ///
    /// # Errors
    ///
    /// Where the context does not know the dialect, and where the kernel does not verify, or anything
    /// in it.
    pub fn build_with_region(self, body: Region<'c>) -> Result<Operation<'c>, BuildError> {
        self.parts(body).build()
    }

    /// As [`Self::build`], not verified.
    pub(super) fn make<E: From<BuildError>>(
        self,
        fill: impl FnOnce(&Block<'c>) -> Result<(), E>,
    ) -> Result<Operation<'c>, E> {
        let (region, kernel) = self.filled(fill)?;
        Ok(kernel.parts(region).make().map_err(BuildError::from)?)
    }

    fn filled<E: From<BuildError>>(
        self,
        fill: impl FnOnce(&Block<'c>) -> Result<(), E>,
    ) -> Result<(Region<'c>, Self), E> {
        let arguments: Vec<_> = self
            .arguments
            .iter()
            .map(|argument| (argument.ty, self.location))
            .collect();
        let (region, block) = (Region::new(), Block::new(&arguments));
        fill(&block)?;
        if block.terminator().is_none() {
            block.append_operation(super::r#return(self.context, self.location)?);
        }
        region.append_block(block);
        Ok((region, self))
    }

    fn parts(self, body: Region<'c>) -> Parts<'c, 'c> {
        let context = self.context;
        let inputs: Vec<_> = self.arguments.iter().map(|argument| argument.ty).collect();
        let ty = types::function(context, &inputs, &[]);
        // What is beyond the largest that a workgroup may have is refused, whatever it is.
        let size = self
            .workgroup_size
            .map(|extent| i32::try_from(extent).unwrap_or(i32::MAX));
        let mut parts = Parts::new(context, "xpu.kernel", self.location)
            .attribute("sym_name", types::string_attribute(context, &self.name))
            .attribute("function_type", types::type_attribute(ty))
            .attribute("workgroup_size", types::i32_array_attribute(context, &size))
            .region(body);
        let said = |argument: &KernelArgument<'_>| {
            argument.memory.is_some() || !argument.attributes.is_empty()
        };
        if self.arguments.iter().any(said) {
            // Reading an attribute of the dialect wants it loaded.
            context.get_or_load_dialect("xpu");
            let each: Vec<_> = self
                .arguments
                .iter()
                .map(|argument| argument.dictionary(context))
                .collect();
            parts = parts.attribute("arg_attrs", types::array_attribute(context, &each));
        }
        for (name, value) in &self.attributes {
            parts = parts.attribute(name, *value);
        }
        parts
    }
}
