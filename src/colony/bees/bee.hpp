#pragma once

#include "colony/moment.hpp"
#include "colony/refusal.hpp"
#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::colony::bees {

// How long a bee has not been heard of.
enum class Silence : std::uint8_t { none, quiet, silent };

// A member of the colony that works: an agent, a script, a person.
struct Bee {
    std::string id;
    Words skills{};
    std::string status{}; // its own word: STANDBY, WORKING, WAITING
    std::string note{};   // its last words
    Timestamp first_seen{};
    Timestamp last_seen{};
    std::string last_act{};        // `task.claimed`
    Silence alarm = Silence::none; // what has been said about it
    bool paused = false;           // it gets no new task
    json::object metadata{};

    bool operator==(const Bee&) const = default;
};

struct SilencePolicy {
    Duration quiet_after = std::chrono::minutes{30};
    Duration silent_after = std::chrono::minutes{60};
};

inline constexpr std::size_t last_words_max = 200;

class BeeRepository {
public:
    virtual ~BeeRepository() = default;
    virtual Status put(const Bee& bee) = 0;
    virtual Result<std::optional<Bee>> find(std::string_view id) const = 0;
    virtual Result<std::vector<Bee>> list(std::string_view after, std::size_t limit) const = 0;
    // Not heard of since, with an alarm below the wanted one.
    virtual Result<std::vector<Bee>>
    unheard(Timestamp since, Silence below, std::size_t limit) const = 0;
};

struct Hall {
    BeeRepository& book;
    Moment& moment;
};

struct Greeting {
    std::optional<Words> skills{};
    std::optional<std::string> status{};
    std::optional<std::string> note{};
    std::optional<json::object> metadata{};
};
// What a bee says of itself; also that it is there.
Outcome<Bee> greet(Hall& hall, const std::string& id, const Greeting& greeting);

// It did something, or said something. Doing the same again is written down at most every few
// seconds: nobody needs to know it better.
Outcome<void>
heard(Hall& hall, const std::string& id, std::string_view act, std::string_view words = {});

Outcome<Bee> pause(Hall& hall, const std::string& id, bool paused);

// Says of each bee once that it is quiet, and once that it is silent.
Outcome<std::size_t> report_silence(Hall& hall, const SilencePolicy& policy, std::size_t limit);

std::string_view name_of(Silence silence) noexcept;
json::object to_json(const Bee& bee);
Result<Bee> from_stored(std::string_view text);

} // namespace hive::colony::bees
