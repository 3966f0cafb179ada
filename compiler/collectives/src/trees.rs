//! Rooted trees over the ranks, one function for each shape.

use super::Rank;

/// A rooted tree over the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Ranks from the root down: every parent before its children.
    pub order: Vec<Rank>,
    /// The parent of each rank, none for the root.
    pub parent: Vec<Option<Rank>>,
    /// The children of each rank, in the order in which their data is combined.
    pub children: Vec<Vec<Rank>>,
    /// How many children of each rank are combined before its own data.
    pub before: Vec<u32>,
}

impl Tree {
    /// A tree from the parents of the ranks, which stand in `order` from the root down; children
    /// are in that order, too.
    pub(crate) fn from_parents(order: Vec<Rank>, parent: Vec<Option<Rank>>) -> Self {
        let mut children = vec![Vec::new(); parent.len()];
        for &rank in &order {
            if let Some(above) = parent[rank.index()] {
                children[above.index()].push(rank);
            }
        }
        let before = vec![0; parent.len()];
        Self { order, parent, children, before }
    }

    /// The same tree with children of smaller rank combined before their parent's data, all in rank
    /// order.
    pub(crate) fn with_children_by_rank(mut self) -> Self {
        for (rank, children) in (0..).map(Rank).zip(&mut self.children) {
            children.sort_unstable();
            let before = children.iter().filter(|&&child| child < rank).count();
            self.before[rank.index()] = u32::try_from(before).unwrap_or(u32::MAX);
        }
        self
    }

    /// `rank` and all ranks below it: the rank first, then its children's subtrees one after the
    /// other.
    pub fn below(&self, rank: Rank) -> Vec<Rank> {
        let (mut found, mut open) = (Vec::new(), vec![rank]);
        while let Some(rank) = open.pop() {
            found.push(rank);
            open.extend(self.children[rank.index()].iter().rev());
        }
        found
    }

    /// Number of links from the root to each rank.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.parent.len()];
        for &rank in &self.order {
            if let Some(above) = self.parent[rank.index()] {
                depths[rank.index()] = depths[above.index()] + 1;
            }
        }
        depths
    }

    /// True if combining children and own data as the tree says goes through the ranks in order.
    pub(crate) fn is_in_rank_order(&self) -> bool {
        // From the leaves up: the first and last rank of every subtree, none for one that is not in
        // order.
        let mut spans: Vec<Option<(Rank, Rank)>> = vec![None; self.parent.len()];
        for &rank in self.order.iter().rev() {
            let before = self.before[rank.index()] as usize;
            let (lower, upper) = self.children[rank.index()].split_at(before);
            let child = |&child: &Rank| spans[child.index()];
            let parts = lower.iter().map(child).chain([Some((rank, rank))]).chain(upper.iter().map(child));
            let joined = parts.reduce(|a, b| match (a?, b?) {
                ((first, last), (next, end)) if last.0 + 1 == next.0 => Some((first, end)),
                _ => None,
            });
            spans[rank.index()] = joined.flatten();
        }
        self.order.first().is_some_and(|&root| spans[root.index()].is_some())
    }
}

/// The root, then the other ranks in rank order; the parent of position `i` is at `(i - 1) / arity`
/// (thesis 4.4.3 for two children).
pub(crate) fn heap(size: u32, root: Rank, arity: u32) -> Tree {
    let order: Vec<Rank> =
        std::iter::once(root).chain(Rank::all(size).filter(|&rank| rank != root)).collect();
    let arity = arity.max(1) as usize;
    let mut parent = vec![None; size as usize];
    for (position, &rank) in order.iter().enumerate().skip(1) {
        parent[rank.index()] = Some(order[(position - 1) / arity]);
    }
    Tree::from_parents(order, parent)
}

/// The binomial tree: the rank at distance `d` from the root hangs below the one at `d` without its
/// lowest set bit. Distances are counted upwards from the root and wrap around. With rank 0 as root
/// every subtree is a range of ranks.
pub(crate) fn binomial(size: u32, root: Rank) -> Tree {
    let rank_at = |distance: u32| Rank((root.0 + distance) % size);
    let mut parent = vec![None; size as usize];
    for distance in 1..size {
        parent[rank_at(distance).index()] = Some(rank_at(distance & (distance - 1)));
    }
    Tree::from_parents((0..size).map(rank_at).collect(), parent)
}

/// The chain: neighbours in rank order. A root in the middle has an arm on both sides, each listed
/// from the root outwards. Combining along it keeps rank order whatever the root is.
pub(crate) fn chain(size: u32, root: Rank) -> Tree {
    let towards_root = |rank: Rank| match rank.cmp(&root) {
        std::cmp::Ordering::Less => Some(Rank(rank.0 + 1)),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Rank(rank.0 - 1)),
    };
    let order = std::iter::once(root).chain(Rank::all(root.0).rev());
    let order = order.chain((root.0 + 1..size).map(Rank)).collect();
    Tree::from_parents(order, Rank::all(size).map(towards_root).collect()).with_children_by_rank()
}

/// The hub: the ranks besides the root fall into up to `heads` clusters of neighbours, whose sizes
/// differ by at most one. The first rank of each is its head and hangs below the root, the others
/// below their head.
pub(crate) fn hub(size: u32, root: Rank, heads: u32) -> Tree {
    let others: Vec<Rank> = Rank::all(size).filter(|&rank| rank != root).collect();
    let heads = (heads.max(1) as usize).min(others.len());
    let mut parent = vec![None; size as usize];
    let (mut order, mut members, mut rest) = (vec![root], Vec::new(), others.as_slice());
    for left in (1..=heads).rev() {
        let (cluster, after) = rest.split_at(rest.len().div_ceil(left));
        rest = after;
        let Some((&head, below)) = cluster.split_first() else { continue };
        parent[head.index()] = Some(root);
        below.iter().for_each(|&rank| parent[rank.index()] = Some(head));
        order.push(head);
        members.extend_from_slice(below);
    }
    order.extend(members);
    Tree::from_parents(order, parent).with_children_by_rank()
}

/// The flat tree: all ranks directly below the root, combined in rank order.
pub(crate) fn flat(size: u32, root: Rank) -> Tree {
    let parent = Rank::all(size).map(|rank| (rank != root).then_some(root)).collect();
    let order = std::iter::once(root).chain(Rank::all(size).filter(|&rank| rank != root)).collect();
    Tree::from_parents(order, parent).with_children_by_rank()
}
