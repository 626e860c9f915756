#pragma once

#include "tests/simulation/life.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hive::simulation {

// What a component keeps through death and restart: one value per key. Each write is atomic and
// durable on return, as a committed transaction would be.
class Disk {
public:
    using Entries = std::map<std::string, std::string, std::less<>>;

    Disk(std::string_view owner, const Trace& trace) : owner_{owner}, trace_{trace} {}

    void write(std::string_view key, std::string_view value) {
        if (life_ == nullptr || !life_->survives("disk write")) return;
        trace_.line(owner_, "disk {} = {}", key, short_text(value));
        const auto found = entries_.find(key);
        if (found == entries_.end()) {
            entries_.emplace(key, value);
        } else {
            found->second = value;
        }
    }
    void erase(std::string_view key) {
        if (life_ == nullptr || !life_->survives("disk erase")) return;
        trace_.line(owner_, "disk {} erased", key);
        if (const auto found = entries_.find(key); found != entries_.end()) entries_.erase(found);
    }
    // All of it or nothing; an entry without a value is erased. Says whether it was.
    bool commit(const std::map<std::string, std::optional<std::string>>& changes) {
        if (life_ == nullptr || !life_->survives("disk commit")) return false;
        for (const auto& [key, value] : changes) {
            trace_.line(owner_, "disk {} = {}", key, value ? short_text(*value) : "erased");
            if (value) {
                entries_.insert_or_assign(key, *value);
            } else if (const auto found = entries_.find(key); found != entries_.end()) {
                entries_.erase(found);
            }
        }
        return true;
    }
    std::optional<std::string_view> read(std::string_view key) const {
        const auto found = entries_.find(key);
        if (found == entries_.end()) return std::nullopt;
        return found->second;
    }
    const Entries& entries() const noexcept { return entries_; }

    void belongs_to(Life* life) { life_ = life; } // nobody while the component is dead

private:
    std::string owner_;
    const Trace& trace_;
    Life* life_ = nullptr;
    Entries entries_;
};

} // namespace hive::simulation
