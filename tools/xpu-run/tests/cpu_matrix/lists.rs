//! Linked lists that all work-items push to: none is lost, none is in it twice.

use xpu_test_support::Type;

use crate::launch::{Buffer, compile, launch, report};

const GROUP: usize = 64;
const GROUPS: usize = 64;

/// Rounds of each: a loss may be rare.
const ROUNDS: usize = 5;

/// Work-item `i` pushes the node `i + 1`: `%next[i]` becomes the node that was first before.
fn push(ty: &str, by: &str) -> String {
    let one = format!("memref<1x{ty}>");
    let many = format!("memref<?x{ty}>");
    let update = match by {
        "xchg" => format!(
            "  %was = xpu.atomic_rmw xchg %node, %head[%c0] ordering(relaxed) : {one}\n  \
             memref.store %was, %next[%i] : {many}\n"
        ),
        _ => format!(
            "  %first = xpu.atomic_load %head[%c0] ordering(relaxed) : {one}\n  \
             %end = scf.while (%seen = %first) : ({ty}) -> {ty} {{\n    \
             memref.store %seen, %next[%i] : {many}\n    \
             %old = xpu.cas %seen, %node, %head[%c0] ordering(release) : {one}\n    \
             %lost = arith.cmpi ne, %old, %seen : {ty}\n    \
             scf.condition(%lost) %old : {ty}\n  }} do {{\n  ^bb0(%seen: {ty}):\n    \
             scf.yield %seen : {ty}\n  }}\n"
        ),
    };
    format!(
        "xpu.kernel @{by}_{ty}(%head: {one}, %next: {many}) workgroup_size({GROUP}, 1, 1) {{\n  \
         %c0 = arith.constant 0 : index\n  %one = arith.constant 1 : {ty}\n  \
         %i = xpu.global_id x\n  %id = arith.index_cast %i : index to {ty}\n  \
         %node = arith.addi %id, %one : {ty}\n{update}  xpu.return\n}}\n"
    )
}

/// Follows the list from its head.
fn walk(head: u64, next: &[u64]) -> Result<(), String> {
    let mut seen = vec![false; next.len()];
    let mut node = head;
    while node != 0 {
        let at = node as usize - 1;
        match seen.get_mut(at) {
            None => return Err(format!("node {node} does not exist")),
            Some(true) => return Err(format!("node {node} comes twice")),
            Some(place) => *place = true,
        }
        node = next[at];
    }
    match seen.iter().position(|seen| !seen) {
        None => Ok(()),
        Some(at) => Err(format!("node {} is lost", at + 1)),
    }
}

#[test]
fn every_node_is_in_the_list_once() {
    // Numbers of 8 bits would not do for the nodes.
    let [_, types @ ..] = Type::SIGNLESS;
    let cases: Vec<(Type, &str)> = types
        .iter()
        .flat_map(|ty| ["xchg", "cas"].map(|by| (*ty, by)))
        .collect();
    let text: String = cases.iter().map(|(ty, by)| push(ty.name, by)).collect();
    let compiled = compile("lists", &text);
    let mut findings = Vec::new();
    for (ty, by) in &cases {
        for round in 0..ROUNDS {
            let name = format!("{by}_{}", ty.name);
            let mut buffers = [Buffer::zeros(*ty, 1), Buffer::zeros(*ty, GROUP * GROUPS)];
            let outcome = launch(&compiled, &name, GROUPS, &mut buffers)
                .and_then(|()| walk(buffers[0].bits[0], &buffers[1].bits));
            if let Err(problem) = outcome {
                findings.push(format!("{name}, round {round}: {problem}"));
            }
        }
    }
    report("lists", cases.len() * ROUNDS, &findings);
}
