// Ranks at the corners of a hypercube: in dimension k partners differ in bit k of their numbers.
#pragma once

namespace aiec {

// Whether a rank takes part in the rounds for itself, for another rank too, or leaves its part to
// its keeper.
enum class fold { none, keeper, folded };

// A rank among 2^Rounds that take part in the rounds. The others are folded: rank 2i leaves its
// part to rank 2i + 1. In: [the folded rank,] partners by round. Out: partners by round[, the
// folded rank].
template <typename Collective, unsigned Rounds, fold Fold>
struct hypercube {
    static constexpr unsigned folded = Collective::rank_count - (1U << Rounds);
    static constexpr unsigned first_in = Fold == fold::keeper ? 1 : 0; // of the rounds
    static constexpr unsigned ports = Fold == fold::folded ? 1 : Rounds + first_in;

    // The number among the ranks that take part.
    static unsigned number(unsigned rank) { return Fold == fold::keeper ? rank / 2 : rank - folded; }
};

} // namespace aiec
