#pragma once

#include "colony/approvals/asking.hpp"

namespace hive::colony::approvals {

inline constexpr Duration link_usual = std::chrono::hours{1};
inline constexpr Duration link_longest = std::chrono::hours{24 * 7};

struct Ballot {
    Actor who{};
    bool approve = false;
    std::string comment{};
    std::string via = "api";
};
// One denial ends it; so does the last approval that the stage needs. Nobody decides about their
// own request, and nobody twice in one stage.
Outcome<Approval> decide(Council& council, std::string_view id, const Ballot& ballot);

// An admin ends it, whatever its rule says. The reason is not optional.
Outcome<Approval> override_with(Council& council, std::string_view id, const Ballot& ballot);

// A link for whoever acts, if they may decide; or, by an admin, for somebody else who may.
struct LinkWish {
    std::string person{}; // empty: whoever acts
    Duration valid_for = link_usual;
};
Outcome<Link>
make_link(Council& council, std::string_view id, const LinkWish& wish, const Digest& word);

// The link as it can be used now, with its request.
struct Invitation {
    Link link;
    Approval approval;
};
Outcome<Invitation> find_invitation(const Council& council, const Digest& word);
Outcome<Approval> decide_by_link(Council& council, const Digest& word, const Ballot& ballot);

// What time does, a bounded part at a time; safe to repeat. Those that ended, for what follows.
Outcome<std::vector<Approval>> run_out(Council& council, std::size_t limit);

// What became of the act of a request that was pending.
Outcome<void> note_carried(Council& council, Approval& approval, const std::string& refusal = {});

} // namespace hive::colony::approvals
