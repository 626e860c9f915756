#include "api/mcp/cancellations.hpp"

namespace hive::mcp {

std::string Cancellations::key_of(std::string_view session, const json::value& id) {
    return std::string{session} + '\n' + to_text(id);
}

void Cancellations::begin(const std::string& key) {
    const std::lock_guard lock{mutex_};
    under_way_.insert(key);
}

void Cancellations::end(const std::string& key) {
    const std::lock_guard lock{mutex_};
    under_way_.extract(key);
    if (!under_way_.contains(key)) given_up_.erase(key);
}

void Cancellations::give_up(std::string_view session, const json::value& id) {
    const std::string key = key_of(session, id);
    const std::lock_guard lock{mutex_};
    if (under_way_.contains(key)) given_up_.insert(key);
}

bool Cancellations::is_given_up(const std::string& key) const {
    const std::lock_guard lock{mutex_};
    return given_up_.contains(key);
}

} // namespace hive::mcp
