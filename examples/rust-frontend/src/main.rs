//! A frontend: it builds the histogram with melior and xpu, prints the module, compiles it for what
//! the command line names, runs it there, and checks the counts.
//!
//! ```text
//! rust-frontend            # on the CPU
//! rust-frontend vulkan     # or cuda, amdgpu:gfx1100
//! ```

use melior::Context;
use melior::dialect::{arith, memref, scf};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::r#type::IntegerType;
use melior::ir::{Block, BlockLike, Location, Module, Region, RegionLike, Type, Value};
use std::error::Error;
use std::process::ExitCode;
use xpu::{BuildError, CompileOptions, Device, Dimension, Kind, Ordering, Scope, ops};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let kind = std::env::args().nth(1).unwrap_or_else(|| "cpu".to_owned());
    let context = xpu::new_context();
    let module = histogram(&context)?;
    println!("{}", module.as_operation());

    let device = Device::open(&kind)?;
    let options = CompileOptions::new().explain(true);
    let compiled = xpu::compile(&module, &device.target()?, &options)?;
    println!(
        "{}: {} for {}",
        device.name(),
        compiled.format(),
        compiled.target()
    );
    print!("{}", compiled.explanation().unwrap_or_default());

    let data: Vec<u32> = (0..10_000u32).map(|number| number * number % 256).collect();
    let mut bins = vec![0u32; 256];
    let time = device
        .launch(&compiled, "histogram")
        .buffer(&mut bins)
        .input(&data)
        .scalar(data.len() as u32)
        .threads(data.len() as u64)
        .run()?;

    let mut expected = vec![0u32; 256];
    for number in &data {
        expected[*number as usize] += 1;
    }
    if bins != expected {
        return Err("the histogram is wrong".into());
    }
    println!(
        "the histogram of {} numbers is right, after {time:.1?}",
        data.len()
    );
    Ok(())
}

/// `xpu.kernel @histogram(%bins, %data, %n)`: `bins[data[i]] += 1` for every `i` below `n`.
fn histogram(context: &Context) -> Result<Module<'_>, BuildError> {
    let location = Location::unknown(context);
    let i32: Type<'_> = IntegerType::new(context, 32).into();
    let buffer = Type::parse(context, "memref<?xi32>").ok_or(BuildError::NoDialect)?;

    let kernel = ops::kernel(context, "histogram", [256, 1, 1], location)
        .argument(buffer)
        .argument(buffer)
        .argument(i32)
        .build(|block| {
            let one = IntegerAttribute::new(i32, 1).into();
            let one = value(block, arith::constant(context, one, location))?;
            let i = value(block, ops::global_id(context, Dimension::X, location)?)?;
            let i32 = value(block, arith::index_cast(i, i32, location))?;
            let below = arith::CmpiPredicate::Ult;
            let n = block.argument(2)?.into();
            let is_in = value(block, arith::cmpi(context, below, i32, n, location))?;

            let then = Block::new(&[]);
            let (bins, data) = (block.argument(0)?.into(), block.argument(1)?.into());
            let number = value(&then, memref::load(data, &[i], location))?;
            let index = Type::index(context);
            let bin = value(&then, arith::index_castui(number, index, location))?;
            let count = ops::atomic_rmw(context, Kind::Add, one, (bins, &[bin]), location)
                .ordering(Ordering::Relaxed)
                .scope(Scope::Device)
                .build()?;
            then.append_operation(count);
            then.append_operation(scf::r#yield(&[], location));

            let region = Region::new();
            region.append_block(then);
            block.append_operation(scf::r#if(is_in, &[], region, Region::new(), location));
            Ok::<(), BuildError>(())
        })?;

    let module = Module::new(location);
    module.body().append_operation(kernel);
    Ok(module)
}

/// Appends an operation; its result.
fn value<'c, 'a>(
    block: &'a Block<'c>,
    op: melior::ir::Operation<'c>,
) -> Result<Value<'c, 'a>, BuildError> {
    Ok(block.append_operation(op).result(0)?.into())
}
