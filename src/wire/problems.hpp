#pragma once

#include "kernel/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace hive::wire {

// Collects what is wrong with a document, each with its path; a hostile one gets no longer answer
// than the bound.
class Problems {
public:
    void add(std::string_view path, std::string_view why);

    bool empty() const noexcept { return count_ == 0; }
    std::size_t count() const noexcept { return count_; }
    Error error() const; // joined by "; "

private:
    static constexpr std::size_t reported_max = 16;

    std::string text_;
    std::size_t count_ = 0;
};

} // namespace hive::wire
