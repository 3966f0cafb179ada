//! The assignment against enumeration.

use aiec_ilp::Microlp;
use proptest::prelude::*;

use crate::assign::{Gap, Module, Part, Problem};

/// A column of modules, of which each has pieces of free memory, and parts with both ends in it.
fn problems() -> impl Strategy<Value = Problem> {
    let gaps = prop::collection::vec((0_u64..3, 1_u64..6), 0..3);
    let module = (gaps, 0_usize..3, any::<bool>());
    let part = (1_u64..6, 0_i64..5, 0_i64..5);
    let (modules, parts) = (prop::collection::vec(module, 1..5), prop::collection::vec(part, 1..5));
    (modules, parts).prop_map(|(modules, parts)| {
        let modules = modules.into_iter().zip(0..).map(|((gaps, fifos, is_used), row)| {
            let mut free = 0;
            let gaps = gaps.into_iter().map(|(skipped, units)| {
                let start = free + 32 * skipped;
                free = start + 32 * (units + 1);
                Gap { start, end: start + 32 * units }
            });
            Module { at: (0, row), gaps: gaps.collect(), fifos, is_used }
        });
        let parts = parts.into_iter();
        let parts =
            parts.map(|(units, from, to)| Part { bytes: 32 * units - 16, ends: [(1, from), (1, to)] });
        Problem { modules: modules.collect(), parts: parts.collect(), alignment: 32 }
    })
}

/// The least cost of the parts from `next` on, if those before lie where `here` says.
fn least(problem: &Problem, here: &mut Vec<Vec<usize>>, next: usize) -> Option<u64> {
    if next == problem.parts.len() {
        let all = here.iter().enumerate();
        return all.map(|(module, parts)| problem.packed(module, parts)).all(|p| p.is_some()).then_some(0);
    }
    let with = |module: usize| {
        here[module].push(next);
        let rest = least(problem, here, next + 1);
        here[module].pop();
        Some(rest? + problem.cost(next, module))
    };
    (0..problem.modules.len()).filter_map(with).min()
}

/// Asserts that the parts lie in free pieces, apart from each other and within the channels.
fn assert_legal(problem: &Problem, found: &[(usize, u64)]) {
    for (part, &(module, offset)) in found.iter().enumerate() {
        let end = offset + problem.parts[part].bytes;
        let is_free = |gap: &Gap| gap.start <= offset && end <= gap.end;
        assert!(problem.modules[module].gaps.iter().any(is_free) && offset % 32 == 0, "{part}: {found:?}");
        let others = found.iter().enumerate().filter(|(other, at)| *other != part && at.0 == module);
        assert!(others.clone().count() < problem.modules[module].fifos, "{part}: {found:?}");
        for (other, &(_, start)) in others {
            assert!(end <= start || start + problem.parts[other].bytes <= offset, "{part}: {found:?}");
        }
    }
}

proptest! {
    #[test]
    fn an_assignment_is_legal_and_the_best_and_found_whenever_there_is_one(problem in problems()) {
        let best = least(&problem, &mut vec![Vec::new(); problem.modules.len()], 0);
        match problem.assign(&Microlp) {
            Ok(found) => {
                assert_legal(&problem, &found);
                let cost = found.iter().enumerate().map(|(part, &(module, _))| problem.cost(part, module)).sum();
                prop_assert_eq!(best, Some(cost));
            }
            Err(unplaced) => {
                prop_assert_eq!(best, None);
                prop_assert!(unplaced.proved && unplaced.part < problem.parts.len());
            }
        }
    }
}

/// Modules in a row, each with room for one part, and parts that all want the middle one.
#[test]
fn parts_that_want_one_module_go_around_it() {
    let gap = Gap { start: 0, end: 1024 };
    let module = |column| Module { at: (column, 1), gaps: vec![gap], fifos: 1, is_used: false };
    let problem = Problem {
        modules: (0..9).map(module).collect(),
        parts: vec![Part { bytes: 512, ends: [(4, 1), (4, 1)] }; 5],
        alignment: 32,
    };
    let mut columns: Vec<usize> =
        problem.assign(&Microlp).expect("room for 9").into_iter().map(|(module, _)| module).collect();
    columns.sort_unstable();
    assert_eq!(columns, [2, 3, 4, 5, 6]);
}
