//! Maximum bipartite matching of things to places by augmenting paths. On failure it gives a Hall
//! violator.

/// An assignment of things to places, at most one thing at each place.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The place of each thing.
    pub place: Vec<Option<usize>>,
    /// The thing at each place.
    pub thing: Vec<Option<usize>>,
}

impl Matching {
    /// A matching in which no thing has a place.
    pub fn empty(things: usize, places: usize) -> Self {
        Self { place: vec![None; things], thing: vec![None; places] }
    }

    /// Puts `thing` at the free place `place`.
    pub fn put(&mut self, thing: usize, place: usize) {
        self.place[thing] = Some(place);
        self.thing[place] = Some(thing);
    }

    /// Finds a place for `thing`. Moves other things along the shortest augmenting path that
    /// `allowed` permits.
    ///
    /// # Errors
    /// Returns a Hall violator when there is no path: things that have fewer places together than
    /// their number.
    pub fn augment(
        &mut self,
        thing: usize,
        allowed: impl Fn(usize, usize) -> bool,
    ) -> Result<(), Vec<usize>> {
        let mut from: Vec<Option<usize>> = vec![None; self.thing.len()];
        let (mut reached, mut next) = (vec![thing], 0);
        while let Some(&at) = reached.get(next) {
            next += 1;
            for place in 0..self.thing.len() {
                if from[place].is_some() || !allowed(at, place) {
                    continue;
                }
                from[place] = Some(at);
                match self.thing[place] {
                    None => {
                        self.shift(place, &from);
                        return Ok(());
                    }
                    Some(other) => reached.push(other),
                }
            }
        }
        Err(reached)
    }

    /// Moves every thing on the path to the free place `end` by one step.
    fn shift(&mut self, end: usize, from: &[Option<usize>]) {
        let mut place = end;
        while let Some(thing) = from[place] {
            let before = self.place[thing];
            self.put(thing, place);
            match before {
                Some(before) => place = before,
                None => return,
            }
        }
    }
}
