//! Every ordering at every scope, for each class of operation, on addresses that the work-items
//! which the scope includes share.

use xpu_dialect::axes::{Ordering, Scope};
use xpu_test_support::Type;

use crate::launch::{Buffer, compile, launch, report};

const GROUP: usize = 64;
const GROUPS: usize = 64;
const ITEMS: usize = GROUP * GROUPS;

/// A kernel, and how its three buffers are judged.
struct Case {
    name: String,
    ty: Type,
    text: String,
    scope: Scope,
    check: fn(&Case, &[Buffer]) -> Result<(), String>,
}

/// The pairs of ordering and failure that a swap may have.
fn swap_orderings() -> impl Iterator<Item = (Ordering, Ordering)> {
    Ordering::ALL.iter().flat_map(|ordering| {
        let failures = Ordering::ALL.iter();
        failures
            .filter(|failure| failure.fits_failure_of(*ordering))
            .map(|failure| (*ordering, *failure))
    })
}

/// Integers that hold a count of work-items, in turn.
fn counting_type(turn: usize) -> Type {
    let [_, types @ ..] = Type::SIGNLESS;
    types[turn % types.len()]
}

/// How many work-items share an address: those that the scope includes.
fn sharers(scope: Scope) -> usize {
    match scope {
        Scope::WorkItem => 1,
        // Of one group, which runs on one thread.
        Scope::Subgroup | Scope::Workgroup => GROUP,
        Scope::Device | Scope::System => ITEMS,
    }
}

/// The start of a kernel on `%m`, `%out` and `%bad`: `%at` is the address that the work-item shares
/// with others, and `%base` the first element of `%out` that belongs to them.
fn kernel(name: &str, ty: Type, scope: Scope, body: &str) -> String {
    let ty = ty.name;
    let sharers = sharers(scope);
    format!(
        "xpu.kernel @{name}(%m: memref<?x{ty}>, %out: memref<?xi32>, %bad: memref<1xi32>) \
         workgroup_size({GROUP}, 1, 1) {{\n  \
         %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  \
         %c2 = arith.constant 2 : index\n  \
         %zero = arith.constant 0 : {ty}\n  %one = arith.constant 1 : {ty}\n  \
         %count = arith.constant 1 : i32\n  %sharers = arith.constant {sharers} : index\n  \
         %i = xpu.global_id x\n  %l = xpu.local_id x\n  %g = xpu.group_id x\n  \
         %at = arith.divui %i, %sharers : index\n  \
         %base = arith.muli %at, %sharers : index\n{body}  xpu.return\n}}\n"
    )
}

/// Marks the ticket `%t` as taken.
const TAKE: &str = "  %ticket = arith.index_castui %t : TYPE to index\n  \
                    %place = arith.addi %base, %ticket : index\n  \
                    %marked = xpu.atomic_rmw add %count, %out[%place] ordering(relaxed) scope(device) : memref<?xi32>\n";

fn tickets(name: String, ty: Type, scope: Scope, update: &str) -> Case {
    let body = format!("{update}{TAKE}").replace("TYPE", ty.name);
    Case {
        text: kernel(&name, ty, scope, &body),
        name,
        ty,
        scope,
        check: |case, buffers| check_tickets(case, &buffers[0], &buffers[1]),
    }
}

/// Each of those who share an address has taken one of its tickets.
fn check_tickets(case: &Case, memory: &Buffer, out: &Buffer) -> Result<(), String> {
    let sharers = sharers(case.scope);
    let addresses = &memory.bits[..ITEMS / sharers];
    if let Some(at) = addresses.iter().position(|count| *count != sharers as u64) {
        return Err(format!(
            "address {at} counts {}, not {sharers}",
            addresses[at]
        ));
    }
    match out.bits.iter().position(|taken| *taken != 1) {
        None => Ok(()),
        Some(at) => Err(format!("ticket {at} was taken {} times", out.bits[at])),
    }
}

fn rmw(turn: usize, ordering: Ordering, scope: Scope) -> Case {
    tickets(
        format!("rmw_{ordering}_{scope}"),
        counting_type(turn),
        scope,
        &format!(
            "  %t = xpu.atomic_rmw add %one, %m[%at] ordering({ordering}) scope({scope}) : memref<?xTYPE>\n"
        ),
    )
}

fn cas(turn: usize, (ordering, failure): (Ordering, Ordering), scope: Scope) -> Case {
    tickets(
        format!("cas_{ordering}_{failure}_{scope}"),
        counting_type(turn),
        scope,
        &format!(
            "  %t = scf.while (%seen = %zero) : (TYPE) -> TYPE {{\n    \
             %next = arith.addi %seen, %one : TYPE\n    \
             %old = xpu.cas %seen, %next, %m[%at] ordering({ordering}) failure({failure}) scope({scope}) : memref<?xTYPE>\n    \
             %lost = arith.cmpi ne, %old, %seen : TYPE\n    \
             scf.condition(%lost) %old : TYPE\n  }} do {{\n  ^bb0(%seen: TYPE):\n    \
             scf.yield %seen : TYPE\n  }}\n"
        ),
    )
}

/// How a message is sent and received.
struct Message {
    store: Ordering,
    load: Ordering,
    /// Fences after the data is written and before it is read.
    fences: Option<(Ordering, Ordering)>,
}

impl Message {
    /// Whether who sees the flag sees the data too.
    fn orders(&self) -> bool {
        self.fences.is_some() || self.store.releases() && self.load.acquires()
    }
}

/// The loads and stores, then the fences, that are of each ordering.
fn messages() -> Vec<Message> {
    use Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    let plain = [Relaxed, Release, SeqCst].map(|store| {
        [Relaxed, Acquire, SeqCst].map(|load| Message {
            store,
            load,
            fences: None,
        })
    });
    let fenced = [Release, AcqRel, SeqCst].map(|first| {
        [Acquire, AcqRel, SeqCst].map(|second| Message {
            store: Relaxed,
            load: Relaxed,
            fences: Some((first, second)),
        })
    });
    plain.into_iter().chain(fenced).flatten().collect()
}

/// A work-item writes data and then a flag; another waits for the flag and reads the data. Even
/// groups write for the odd ones after them, which may wait for them. Where the scope is a group or
/// less, each does both, and a barrier is between.
fn message(turn: usize, message: &Message, scope: Scope) -> Case {
    let ty = Type::SIGNLESS[turn % Type::SIGNLESS.len()];
    let Message { store, load, .. } = message;
    let (kind, [before_store, after_load]) = match message.fences {
        None => ("message", [String::new(), String::new()]),
        Some((first, second)) => (
            "fence",
            [first, second].map(|one| format!("    xpu.fence ordering({one}) scope({scope})\n")),
        ),
    };
    let name = match message.fences {
        None => format!("{kind}_{store}_{load}_{scope}"),
        Some((first, second)) => format!("{kind}_{first}_{second}_{scope}"),
    };

    let shared = scope == Scope::Workgroup;
    let (flags, flags_type) = if shared {
        (
            "%s",
            format!("memref<{GROUP}xTYPE, #gpu.address_space<workgroup>>"),
        )
    } else {
        ("%m", "memref<?xTYPE>".to_string())
    };
    // The flag of a work-item, of whose group it is the `local`th.
    let flag = |item: &str, local: &str, result: &str| {
        if shared {
            format!("    {result} = arith.addi {local}, %c0 : index\n")
        } else {
            format!("    {result} = arith.addi {item}, %items : index\n")
        }
    };
    // Data that nothing orders is atomic, lest it race.
    let (write_data, read_data) = if message.orders() {
        ("memref.store %one, %m[%i]", "memref.load %m[%theirs]")
    } else {
        (
            "xpu.atomic_store %one, %m[%i] ordering(relaxed)",
            "xpu.atomic_load %m[%theirs] ordering(relaxed)",
        )
    };
    let write = format!(
        "    {write_data} : memref<?xTYPE>\n{before_store}{}    \
         xpu.atomic_store %one, {flags}[%mine] ordering({store}) scope({scope}) : {flags_type}\n",
        flag("%i", "%l", "%mine")
    );
    let expected = if message.orders() { "%one" } else { "%d" };
    let read = format!(
        "{}    scf.while : () -> () {{\n      \
         %f = xpu.atomic_load {flags}[%flag] ordering({load}) scope({scope}) : {flags_type}\n      \
         %unset = arith.cmpi eq, %f, %zero : TYPE\n      scf.condition(%unset)\n    }} do {{\n      \
         scf.yield\n    }}\n{after_load}    %d = {read_data} : memref<?xTYPE>\n    \
         %stale = arith.cmpi ne, %d, {expected} : TYPE\n    scf.if %stale {{\n      \
         %0 = xpu.atomic_rmw add %count, %bad[%c0] ordering(relaxed) : memref<1xi32>\n    }}\n    \
         memref.store %count, %out[%i] : memref<?xi32>\n",
        flag("%theirs", "%next", "%flag")
    );
    let constants = format!(
        "  %items = arith.constant {ITEMS} : index\n  %group = arith.constant {GROUP} : index\n"
    );
    let body = match scope {
        Scope::WorkItem => {
            format!("{constants}{write}  %theirs = arith.addi %i, %c0 : index\n{read}")
        }
        Scope::Subgroup | Scope::Workgroup => {
            let start = if shared {
                format!(
                    "  %s = xpu.shared : {flags_type}\n  \
                     memref.store %zero, %s[%l] : {flags_type}\n  xpu.barrier\n"
                )
            } else {
                String::new()
            };
            format!(
                "{constants}{start}{write}  xpu.barrier\n  \
                 %right = arith.addi %l, %c1 : index\n  \
                 %next = arith.remui %right, %group : index\n  \
                 %first = arith.muli %g, %group : index\n  \
                 %theirs = arith.addi %first, %next : index\n{read}"
            )
        }
        Scope::Device | Scope::System => format!(
            "{constants}  %parity = arith.remui %g, %c2 : index\n  \
             %writes = arith.cmpi eq, %parity, %c0 : index\n  scf.if %writes {{\n{write}    \
             memref.store %count, %out[%i] : memref<?xi32>\n  }} else {{\n    \
             %theirs = arith.subi %i, %group : index\n{read}  }}\n"
        ),
    };
    Case {
        text: kernel(&name, ty, scope, &body.replace("TYPE", ty.name)),
        name,
        ty,
        scope,
        check: |_, buffers| check_messages(&buffers[1], &buffers[2]),
    }
}

/// All have come to their end, and nobody has read what is out of date.
fn check_messages(out: &Buffer, bad: &Buffer) -> Result<(), String> {
    if bad.bits[0] != 0 {
        return Err(format!("{} saw the flag but not the data", bad.bits[0]));
    }
    match out.bits.iter().position(|done| *done != 1) {
        None => Ok(()),
        Some(at) => Err(format!("work-item {at} has not come to its end")),
    }
}

#[test]
fn read_modify_writes() {
    check("read-modify-writes", |turn, scope| {
        let all = Ordering::ALL.iter();
        all.map(|ordering| rmw(turn, *ordering, scope)).collect()
    });
}

#[test]
fn swaps() {
    check("swaps", |turn, scope| {
        swap_orderings()
            .map(|orderings| cas(turn, orderings, scope))
            .collect()
    });
}

#[test]
fn loads_stores_and_fences() {
    check("messages", |turn, scope| {
        let all = messages();
        let numbered = all.iter().enumerate();
        numbered
            .map(|(at, one)| message(turn + at, one, scope))
            .collect()
    });
}

#[track_caller]
fn check(what: &str, cases: impl Fn(usize, Scope) -> Vec<Case>) {
    let scopes = Scope::ALL.iter().enumerate();
    let cases: Vec<Case> = scopes
        .flat_map(|(turn, scope)| cases(turn, *scope))
        .collect();
    let text: String = cases.iter().map(|case| case.text.as_str()).collect();
    let compiled = compile(what, &text);
    let [.., i32, _] = Type::SIGNLESS;
    let mut findings = Vec::new();
    for case in &cases {
        let mut buffers = [
            Buffer::zeros(case.ty, 2 * ITEMS),
            Buffer::zeros(i32, ITEMS),
            Buffer::zeros(i32, 1),
        ];
        let outcome = launch(&compiled, &case.name, GROUPS, &mut buffers)
            .and_then(|()| (case.check)(case, &buffers));
        if let Err(problem) = outcome {
            findings.push(format!("{} on {}: {problem}", case.name, case.ty.name));
        }
    }
    report(what, cases.len(), &findings);
}
