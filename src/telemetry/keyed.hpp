#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hive::telemetry {

// One T for each key, for a bounded number of keys: whatever comes once it is full goes into
// `other`, and is counted. Keys come from outside (calls, statuses, dimensions).
template <class T>
class Keyed {
public:
    explicit Keyed(std::size_t keys_max) : keys_max_{keys_max} {}

    // Lives until the next clear().
    T& at(std::string_view key) {
        if (const auto found = values_.find(key); found != values_.end()) return found->second;
        if (values_.size() < keys_max_) return values_.emplace(key, T{}).first->second;
        ++overflowed_;
        return other_;
    }
    const T* find(std::string_view key) const {
        const auto found = values_.find(key);
        return found == values_.end() ? nullptr : &found->second;
    }

    std::uint64_t overflowed() const noexcept { return overflowed_; } // times `other` was used
    const T& other() const noexcept { return other_; }
    const std::map<std::string, T, std::less<>>& values() const noexcept { return values_; }

    void clear() {
        values_.clear();
        other_ = T{};
        overflowed_ = 0;
    }

private:
    std::size_t keys_max_;
    std::map<std::string, T, std::less<>> values_{};
    T other_{};
    std::uint64_t overflowed_ = 0;
};

using Counters = Keyed<std::uint64_t>;

// How many of all went well.
struct Successes {
    std::uint64_t total = 0;
    std::uint64_t failed = 0;

    void count(bool ok) {
        ++total;
        if (!ok) ++failed;
    }
    void merge(const Successes& other) {
        total += other.total;
        failed += other.failed;
    }
    double ratio() const noexcept { // of none, all went well
        return total == 0 ? 1 : static_cast<double>(total - failed) / static_cast<double>(total);
    }
    bool operator==(const Successes&) const = default;
};

} // namespace hive::telemetry
