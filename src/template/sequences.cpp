#include "template/sequences.hpp"

#include <fmt/format.h>

namespace hive::templates {

Result<std::uint64_t> LocalSequences::next(std::string_view key) {
    const std::scoped_lock lock{mutex_};
    const auto at = counters_.find(key);
    if (at != counters_.end()) return ++at->second;
    if (counters_.size() == keys_max) {
        return fail(
            Errc::limit,
            fmt::format("there are {} sequences already; use fewer different keys", keys_max));
    }
    counters_.emplace(key, 1);
    return std::uint64_t{1};
}

Result<bool> LocalSequences::reset(std::string_view key) {
    const std::scoped_lock lock{mutex_};
    const auto at = counters_.find(key);
    if (at == counters_.end()) return false;
    counters_.erase(at);
    return true;
}

} // namespace hive::templates
