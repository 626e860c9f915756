#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace hive::templates {

// Counters with names: 1, 2, 3, ... Local ones are below; ones that several processes share live in
// a server and come with an adapter.
class Sequences {
public:
    virtual ~Sequences() = default;
    virtual Result<std::uint64_t> next(std::string_view key) = 0; // the first is 1
    virtual Result<bool> reset(std::string_view key) = 0;         // false when there was none
};

// Inside this process; any thread may ask.
class LocalSequences final : public Sequences {
public:
    static constexpr std::size_t keys_max = 100'000; // keys may be made from payloads

    Result<std::uint64_t> next(std::string_view key) override;
    Result<bool> reset(std::string_view key) override;

private:
    std::mutex mutex_;
    std::map<std::string, std::uint64_t, std::less<>> counters_;
};

} // namespace hive::templates
