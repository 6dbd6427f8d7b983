//! Every builder: what it makes, and what it refuses.
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::dialect::scf;
use melior::ir::{Block, BlockLike, Location, Module, Operation, Region, RegionLike, Type, Value};
use melior::utility::register_all_dialects;
use xpu::{BuildError, Dimension, Kind, MemoryKind, Ordering, PipelineError, Scope, ops};

fn ty<'c>(context: &'c Context, text: &str) -> Type<'c> {
    Type::parse(context, text).unwrap_or_else(|| panic!("{text} is a type"))
}

/// What stands in a kernel with those arguments, each operation on its line.
#[track_caller]
fn body(
    arguments: &str,
    fill: impl for<'c> FnOnce(&'c Context, &Block<'c>, Location<'c>) -> Result<(), BuildError>,
) -> Result<Vec<String>, String> {
    let context = xpu::new_context();
    let location = Location::new(&context, "k.txt", 4, 2);
    let mut kernel = ops::kernel(&context, "k", [64, 1, 1], location);
    for argument in arguments.split(", ") {
        kernel = kernel.argument(ty(&context, argument));
    }
    let kernel = kernel
        .build(|block| fill(&context, block, location))
        .map_err(|error| error.to_string())?;
    let text = kernel.to_string();
    let lines = text.lines().map(|line| line.trim().to_owned());
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines[lines.len() - 2..], ["xpu.return", "}"]);
    Ok(lines[1..lines.len() - 2].to_vec())
}

/// Appends an operation; its result.
fn put<'c, 'a>(
    block: &'a Block<'c>,
    op: Result<Operation<'c>, BuildError>,
) -> Result<Value<'c, 'a>, BuildError> {
    Ok(block.append_operation(op?).result(0)?.into())
}

#[test]
fn atomics_and_fences() {
    let lines = body("memref<8x?xf32>, f32, index", |context, block, location| {
        let buffer = block.argument(0)?.into();
        let value = block.argument(1)?.into();
        let at: Value<'_, '_> = block.argument(2)?.into();
        let place = (buffer, &[at, at]);
        let add = ops::atomic_rmw(context, Kind::FAdd, value, place, location)
            .scope(Scope::System)
            .ordering(Ordering::Release)
            .flush_denormals()
            .reassociate();
        let old = put(block, add.build())?;
        let cas = ops::cas(context, old, value, place, location)
            .ordering(Ordering::SeqCst)
            .failure(Ordering::Acquire)
            .scope(Scope::Workgroup);
        put(block, cas.build())?;
        let load = ops::atomic_load(context, ops::Address::element(buffer, &[at, at]), location);
        let loaded = put(block, load.ordering(Ordering::Acquire).build())?;
        let store = ops::atomic_store(context, loaded, place, location).scope(Scope::Subgroup);
        block.append_operation(store.build()?);
        block.append_operation(ops::fence(context, Ordering::AcqRel, location).build()?);
        let fence = ops::fence(context, Ordering::SeqCst, location).scope(Scope::WorkItem);
        block.append_operation(fence.build()?);
        Ok(())
    });
    assert_eq!(
        lines.unwrap(),
        [
            "%0 = xpu.atomic_rmw fadd %arg1, %arg0[%arg2, %arg2] ordering(release) scope(system) \
             denormals(flush) fastmath<reassoc> : memref<8x?xf32>",
            "%1 = xpu.cas %0, %arg1, %arg0[%arg2, %arg2] ordering(seq_cst) failure(acquire) \
             scope(workgroup) : memref<8x?xf32>",
            "%2 = xpu.atomic_load %arg0[%arg2, %arg2] ordering(acquire) : memref<8x?xf32>",
            "xpu.atomic_store %2, %arg0[%arg2, %arg2] scope(subgroup) : memref<8x?xf32>",
            "xpu.fence ordering(acq_rel)",
            "xpu.fence ordering(seq_cst) scope(workitem)",
        ]
    );
}

#[test]
fn ids_barriers_memory_and_casts() {
    let lines = body("memref<?xi8>, i32", |context, block, location| {
        let workgroup = ty(context, "memref<64xi32, #gpu.address_space<workgroup>>");
        put(block, ops::shared(context, workgroup, location))?;
        put(block, ops::global_id(context, Dimension::X, location))?;
        put(block, ops::local_id(context, Dimension::Y, location))?;
        put(block, ops::group_id(context, Dimension::Z, location))?;
        put(block, ops::group_count(context, Dimension::X, location))?;
        put(block, ops::workgroup_size(context, Dimension::X, location))?;
        block.append_operation(ops::barrier(context, location)?);
        let bytes = block.argument(0)?.into();
        let words = ty(context, "memref<?xi32>");
        put(block, ops::reinterpret(context, bytes, words, location))?;
        let value = block.argument(1)?.into();
        put(
            block,
            ops::sign_cast(context, value, ty(context, "ui32"), location),
        )?;
        // The terminator may be given.
        block.append_operation(ops::r#return(context, location)?);
        Ok(())
    });
    assert_eq!(
        lines.unwrap(),
        [
            "%shared = xpu.shared : memref<64xi32, #gpu.address_space<workgroup>>",
            "%global_id_x = xpu.global_id x",
            "%local_id_y = xpu.local_id y",
            "%group_id_z = xpu.group_id z",
            "%group_count_x = xpu.group_count x",
            "%workgroup_size_x = xpu.workgroup_size x",
            "xpu.barrier",
            "%0 = xpu.reinterpret %arg0 : memref<?xi8> to memref<?xi32>",
            "%1 = xpu.sign_cast %arg1 : i32 to ui32",
        ]
    );
}

#[test]
fn kernels_say_more_of_their_arguments() {
    let context = xpu::new_context();
    let location = Location::unknown(&context);
    let buffer = ops::KernelArgument::new(ty(&context, "memref<?xi32>"));
    let kernel = ops::kernel(&context, "k", [8, 4, 2], location)
        .argument(buffer.memory(MemoryKind::HostVisible))
        .argument(ty(&context, "index"))
        .flush_denormals()
        .build(|_| Ok::<(), BuildError>(()))
        .unwrap();
    let text = kernel.to_string();
    let head = text.lines().next().unwrap();
    assert_eq!(
        head,
        "xpu.kernel @k(%arg0: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}, %arg1: index) \
         workgroup_size(8, 4, 2) attributes {xpu.denormals = \"flush\"} {"
    );
}

/// The verifier's own words, which say what to write instead.
#[test]
fn refusals() {
    let check = |outcome: Result<Vec<String>, String>, expect: &str| {
        let error = outcome.unwrap_err();
        assert_eq!(error, expect);
    };
    let i32s = "memref<?xi32>, i32, index";
    let rmw = |kind, address: usize, ordering| {
        body(i32s, move |context, block, location| {
            let (buffer, value) = (block.argument(address)?.into(), block.argument(1)?.into());
            let at = block.argument(2)?.into();
            let rmw = ops::atomic_rmw(context, kind, value, (buffer, &[at]), location);
            put(block, rmw.ordering(ordering).build()).map(drop)
        })
    };
    check(
        rmw(Kind::Min, 0, Ordering::Relaxed),
        "k.txt:4:2: error: 'xpu.atomic_rmw' op kind 'min' needs an element type with a sign, but 'i32' has none; \
         write 'smin' or 'umin'",
    );
    let error = rmw(Kind::Add, 1, Ordering::Relaxed).unwrap_err();
    assert!(error.contains("must be a ranked memref"), "{error}");
    check(
        body(i32s, |context, block, location| {
            let (buffer, at) = (block.argument(0)?.into(), block.argument(2)?.into());
            let load = ops::atomic_load(context, (buffer, &[at]), location);
            put(block, load.ordering(Ordering::Release).build()).map(drop)
        }),
        "k.txt:4:2: error: 'xpu.atomic_load' op a load cannot have ordering 'release'; write relaxed, acquire or \
         seq_cst",
    );
    check(
        body(i32s, |context, block, location| {
            let (buffer, value) = (block.argument(0)?.into(), block.argument(1)?.into());
            let cas = ops::cas(context, value, value, (buffer, &[]), location);
            put(block, cas.build()).map(drop)
        }),
        "k.txt:4:2: error: 'xpu.cas' op expects 1 indices, one for each dimension of 'memref<?xi32>', but has 0",
    );
    check(
        body(i32s, |context, block, location| {
            let fence = ops::fence(context, Ordering::Relaxed, location).build()?;
            block.append_operation(fence);
            Ok(())
        }),
        "k.txt:4:2: error: 'xpu.fence' op a relaxed fence orders nothing; write acquire, release, acq_rel or \
         seq_cst",
    );
    check(
        body(i32s, |context, block, location| {
            let global = ty(context, "memref<64xi32>");
            put(block, ops::shared(context, global, location)).map(drop)
        }),
        "k.txt:4:2: error: 'xpu.shared' op expects the workgroup's memory space, such as \
         #gpu.address_space<workgroup>, but has 'memref<64xi32>'",
    );
    check(
        body(i32s, |context, block, location| {
            let value = block.argument(1)?.into();
            put(
                block,
                ops::sign_cast(context, value, ty(context, "ui64"), location),
            )
            .map(drop)
        }),
        "k.txt:4:2: error: 'xpu.sign_cast' op expects one width, but goes from 'i32' to 'ui64'",
    );
    let error = body(i32s, |_, block, _| {
        block.argument(7).map(drop).map_err(Into::into)
    });
    assert!(error.unwrap_err().contains("block argument"));
}

#[test]
fn kernels_that_do_not_verify() {
    let context = xpu::new_context();
    let location = Location::new(&context, "front.txt", 3, 5);
    let large = ops::kernel(&context, "k", [u32::MAX, 1, 1], location);
    let error = large.build(|_| Ok::<(), BuildError>(())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "front.txt:3:5: error: 'xpu.kernel' op workgroup_size must be between 1 and 1024 in each \
         dimension, but one is 2147483647"
    );
    let BuildError::Refused { op, diagnostics } = error else {
        panic!("{error}");
    };
    assert_eq!(op, "xpu.kernel");
    assert_eq!(diagnostics[0].position(), Some(("front.txt", 3, 5)));

    let tensor = ty(&context, "tensor<4xi32>");
    let kernel = ops::kernel(&context, "k", [1, 1, 1], location).argument(tensor);
    let error = kernel.build(|_| Ok::<(), BuildError>(())).unwrap_err();
    assert!(
        error.to_string().contains("a kernel takes ranked memrefs"),
        "{error}"
    );
}

#[test]
fn contexts_without_the_dialect() {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    let location = Location::unknown(&context);
    let fence = || ops::fence(&context, Ordering::AcqRel, location).build();
    assert_eq!(fence().unwrap_err(), BuildError::NoDialect);

    let registry = DialectRegistry::new();
    xpu::register(&registry);
    context.append_dialect_registry(&registry);
    assert_eq!(
        fence().unwrap().to_string(),
        "xpu.fence ordering(acq_rel)\n"
    );
}

#[test]
fn contexts_that_are_mixed_up() {
    let (one, other) = (xpu::new_context(), xpu::new_context());
    let location = Location::unknown(&other);
    let error = ops::barrier(&one, location).unwrap_err();
    assert_eq!(error, BuildError::OtherContext { op: "xpu.barrier" });
    let mut module = Module::new(location);
    let error = xpu::pipelines::run(&one, &mut module, "canonicalize").unwrap_err();
    assert_eq!(error, PipelineError::OtherContext);
}

#[test]
fn passes_that_refuse_and_passes_that_warn() {
    let context = xpu::new_context();
    let source = "func.func @f(%m: memref<4xi32>, %v: i32, %i: index) {
        %old = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<4xi32>
        return
    }";
    let kernel = |source: &str| Module::parse(&context, source).unwrap();
    let error = xpu::pipelines::run(&context, &mut kernel(source), "xpu-expand-atomics{oops}");
    assert!(
        matches!(error, Err(PipelineError::Text { .. })),
        "{error:?}"
    );

    let source = "gpu.module @m { gpu.func @k(%m: memref<4xi32>, %v: i32, %i: index) kernel {
        %old = xpu.atomic_rmw add %v, %m[%i] ordering(seq_cst) scope(system) : memref<4xi32>
        gpu.return
    } }";
    let attach = "xpu-attach-spirv-target{target=1.3}";
    let weaker = format!("{attach},xpu-legalize-atomics");
    let said = xpu::pipelines::run(&context, &mut kernel(source), &weaker).unwrap();
    assert!(
        said.iter()
            .all(|one| one.severity() == xpu::Severity::Warning),
        "{said:?}"
    );
    assert_eq!(said.len(), 2, "an ordering and a scope are lost: {said:?}");
    let strict = format!("{attach},xpu-legalize-atomics{{strict}}");
    let error = xpu::pipelines::run(&context, &mut kernel(source), &strict);
    assert!(
        matches!(error, Err(PipelineError::Failed { .. })),
        "{error:?}"
    );
    assert!(xpu::pipelines::names().any(|(name, _)| name == "xpu-to-nvvm"));
    assert!(xpu::pipelines::passes().any(|(name, _)| name == "xpu-expand-atomics"));
}

/// What a pointer leads to has a type that the pointer does not say.
#[test]
fn pointers() {
    let context = xpu::new_context();
    let location = Location::new(&context, "k.txt", 4, 2);
    let types = ["!llvm.ptr<1>", "i32"].map(|text| (ty(&context, text), location));
    let block = Block::new(&types);
    let pointer = block.argument(0).unwrap().into();
    let value: Value<'_, '_> = block.argument(1).unwrap().into();
    let i32s = || ops::Address::pointer(pointer, ty(&context, "i32"));

    let add = ops::atomic_rmw(&context, Kind::Add, value, i32s(), location).build();
    put(&block, add).unwrap();
    let cas = ops::cas(&context, value, value, i32s(), location).build();
    put(&block, cas).unwrap();
    let load = ops::atomic_load(&context, i32s(), location).scope(Scope::Device);
    put(&block, load.build()).unwrap();
    let store = ops::atomic_store(&context, value, i32s(), location).build();
    block.append_operation(store.unwrap());

    // The element's type is that of the value, and nothing else.
    let i64s = || ops::Address::pointer(pointer, ty(&context, "i64"));
    let add = ops::atomic_rmw(&context, Kind::Add, value, i64s(), location).build();
    assert!(
        matches!(add, Err(BuildError::ElementType { .. })),
        "{add:?}"
    );
    let store = ops::atomic_store(&context, value, i64s(), location).build();
    let error = store.unwrap_err().to_string();
    assert_eq!(
        error,
        "xpu.atomic_store: the value is of type i32, but the address is that of a i64"
    );

    // A block is printed with what it is in, here in the generic form.
    let region = Region::new();
    region.append_block(block);
    let execute = scf::execute_region(&[], region, location);
    let module = Module::new(location);
    module.body().append_operation(execute);
    let text = module.as_operation().to_string();
    for expect in [
        r#""xpu.atomic_rmw"(%arg1, %arg0) <{kind = 0 : i32}> : (i32, !llvm.ptr<1>) -> i32"#,
        r#""xpu.cas"(%arg1, %arg1, %arg0) : (i32, i32, !llvm.ptr<1>) -> i32"#,
        r#""xpu.atomic_load"(%arg0) <{scope = 30 : i32}> : (!llvm.ptr<1>) -> i32"#,
        r#""xpu.atomic_store"(%arg1, %arg0) : (i32, !llvm.ptr<1>) -> ()"#,
    ] {
        assert!(text.contains(expect), "{text}");
    }
}
