#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hive::rest {

// One thing that was refused, or several alike.
struct Refused {
    std::string action; // `auth.failed`, `auth.denied`
    std::string actor;  // `human:alice`; `key`, `session`, `ticket`, `login` when nobody is known
    std::string reason;
    std::string entity_type{};
    std::string entity_id{};
    std::string peer{}; // an address is personal: it belongs into details, which can be erased
    std::string request_id{};
    std::uint64_t count = 1;
};

struct RefusalPolicy {
    Duration once_in = std::chrono::minutes{1};
    std::size_t kinds_max = 1024; // beyond that, refusals of all others are counted together
};

// Which refusals to write down: the first of a kind (who, from where, what, why), and how many
// there were when its minute is over. Whoever knocks all day fills no log.
class RefusalBook {
public:
    explicit RefusalBook(RefusalPolicy policy = {}) : policy_{policy} {}

    // What to write down now; nothing when it was only counted.
    std::optional<Refused> note(Refused refused, TimePoint now);
    // What was counted in minutes that are over.
    std::vector<Refused> take_due(TimePoint now);
    // What was counted, whether its minute is over or not.
    std::vector<Refused> take_all();
    std::size_t size() const noexcept { return kinds_.size(); }

private:
    struct Kind {
        Refused last; // its count: those that are not written down yet
        TimePoint until{};
    };

    RefusalPolicy policy_;
    std::map<std::string, Kind> kinds_;
};

} // namespace hive::rest
