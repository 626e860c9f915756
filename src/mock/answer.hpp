#pragma once

#include "kernel/random.hpp"
#include "mock/settings.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hive::mock {

enum class Fault : std::uint8_t { none, error, reset, silent, truncate, lie };
inline constexpr std::size_t faults = 6;
std::string_view name_of(Fault fault) noexcept;

std::string_view reason_of(int status) noexcept;

// One answer in bytes, for a connection that stays and for one that ends.
struct Answer {
    int status = 200;
    std::size_t head_size = 0; // of `keep`
    std::size_t end_head_size = 0;
    std::string keep{};
    std::string end{};
};
Answer make_answer(int status, std::string_view content_type, std::string_view body);

// A behaviour with all its answers built in advance. Used by all threads at once.
class Endpoint {
public:
    explicit Endpoint(Behaviour does);

    Fault draw(Random& random) const; // `none` mostly
    Duration delay(Random& random) const { return does_.delay.sample(random); }

    // The bytes of the next answer and their status; `scratch` holds them when they are made for
    // this request alone.
    struct Said {
        int status;
        std::string_view bytes;
        bool closes; // the connection ends with it
    };
    struct Asked {
        Fault fault = Fault::none;
        bool keep_alive = true;
        bool head_only = false;
    };
    Said say(const Asked& asked, std::string& scratch);

    std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
    void reset() noexcept { count_.store(0, std::memory_order_relaxed); }

private:
    Behaviour does_;
    bool has_faults_;
    bool counts_; // the body holds {count}
    std::vector<Answer> usual_{};
    Answer error_;
    Answer truncated_;
    Answer lying_;
    std::atomic<std::uint64_t> count_{0};
};

} // namespace hive::mock
