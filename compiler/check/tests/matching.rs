//! Bipartite matching: augmenting paths, and the things that have too few places.

use aiec_check::prove::matching::Matching;

#[test]
fn others_move_out_of_the_way() {
    // Thing 0 may be at 0 and 1, thing 1 at 0 only.
    let allowed = |thing: usize, place: usize| thing == 0 || place == 0;
    let mut matching = Matching::empty(2, 2);
    assert_eq!(matching.augment(0, allowed), Ok(()));
    assert_eq!(matching.augment(1, allowed), Ok(()));
    assert_eq!(matching.place, [Some(1), Some(0)]);
}

#[test]
fn those_who_share_too_few_places_are_named() {
    let allowed = |thing: usize, place: usize| thing == 2 || place == 0;
    let mut matching = Matching::empty(3, 3);
    assert_eq!(matching.augment(2, allowed), Ok(()));
    assert_eq!(matching.augment(0, allowed), Ok(()));
    let short = matching.augment(1, allowed).map_err(|mut short| {
        short.sort_unstable();
        short
    });
    assert_eq!(short, Err(vec![0, 1]));
}
