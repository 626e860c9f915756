#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace hive::store {

inline constexpr Duration answer_kept = std::chrono::hours{24};
// A request without an answer for this long is taken to have died with its server.
inline constexpr Duration in_flight_max = std::chrono::minutes{2};
inline constexpr std::size_t idempotency_key_max = 255;
inline constexpr std::size_t answer_bytes_max = std::size_t{1} << 20U;

// What a client sent. Keys of different callers must not meet: put the caller into `key`.
struct KeyedRequest {
    std::string hive;
    std::string key;
    std::string fingerprint; // of method, path and body
};

struct Answer {
    std::int64_t status = 0; // HTTP's
    std::string body;        // any bytes

    bool operator==(const Answer&) const = default;
};

struct Fresh { // nobody asked before: do it, then keep_answer() with this
    Timestamp claimed;
};
struct Replay { // it was done: send this again
    Answer answer;
};
struct InFlight {}; // the same request is being worked on right now
using Claim = std::variant<Fresh, Replay, InFlight>;

// Claims the key for this request. Errc::conflict when the key came with another request before.
Result<Claim> claim_key(Session& session, const KeyedRequest& request, Timestamp now);

struct KeptAnswer {
    Answer answer;
    Timestamp claimed; // from Fresh
};

// Stores the answer; do it in the unit that changes what was asked for, so that both or neither
// happen. Errc::conflict when the claim took so long that another try has taken over.
Status
keep_answer(Session& session, const KeyedRequest& request, const KeptAnswer& kept, Timestamp now);

// Gives up a claim that led to nothing worth repeating, so that the client may try again.
Status release_key(Session& session, const KeyedRequest& request, Timestamp claimed);

// Forgets what has expired; returns how many.
Result<std::int64_t> purge_keys(Session& session, Timestamp now);

} // namespace hive::store
