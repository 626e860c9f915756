#pragma once

#include "accounts/principal.hpp"
#include "kernel/clock.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>

namespace hive::accounts {

// An unguessable word handed to a browser or printed in a link; only its hash is kept.
using TokenEntropy = std::array<std::uint8_t, 32>;
struct Token {
    Secret text;
    Digest hash;
};
Token make_token(const TokenEntropy& entropy);
Digest hash_token(std::string_view text);
// Enough of a session's hash to tell sessions apart, useless as a cookie.
std::string proof_id_of(const Digest& token_hash);

struct SessionPolicy {
    Duration idle = std::chrono::hours{12};
    Duration longest = std::chrono::hours{24 * 7};
};

// A signed-in person. The cookie holds the token; the hash is the key under which this is stored.
struct Session {
    Digest token_hash{};
    std::string person;
    Role role = Role::human;
    Timestamp created{};
    Timestamp last_seen{};
};

// Errc::denied when the session was idle or alive for too long.
Result<Principal> principal_of(const Session& session, const SessionPolicy& policy, Timestamp now);

// The word a form or script must send back with a change: another site can make the browser send
// the cookie, but cannot read this. Bound to the session, so one person's word is useless to
// another.
std::string csrf_word(const Digest& token_hash, const Secret& server_key);
bool is_csrf_word(std::string_view word, const Digest& token_hash, const Secret& server_key);

// Single-use and short-lived: login links (minutes) and WebSocket tickets (seconds). Bounded; when
// full the oldest goes, so a flood of requests delays nobody but costs the flooder its tickets.
class Tickets {
public:
    explicit Tickets(Duration valid_for, std::size_t most = 4096)
        : valid_for_{valid_for}, most_{most} {}

    Secret issue(Principal principal, const TokenEntropy& entropy, TimePoint now);
    // Errc::denied for a word that is unknown, expired or used before: the same answer to all
    // three.
    Result<Principal> redeem(std::string_view text, TimePoint now);
    std::size_t size() const noexcept { return by_age_.size(); }

private:
    struct Entry {
        Digest hash;
        Principal principal;
        TimePoint ends;
    };
    void drop_expired(TimePoint now);

    Duration valid_for_;
    std::size_t most_;
    std::list<Entry> by_age_; // oldest first
    std::map<Digest, std::list<Entry>::iterator> by_hash_;
};

} // namespace hive::accounts
