#include "wire/problems.hpp"

#include "kernel/append_format.hpp"

#include <fmt/format.h>

namespace hive::wire {

void Problems::add(std::string_view path, std::string_view why) {
    if (++count_ > reported_max) return;
    if (!text_.empty()) text_ += "; ";
    append_format(text_, "{}: {}", path, why);
}

Error Problems::error() const {
    if (count_ <= reported_max) return {Errc::invalid, text_};
    return {Errc::invalid, fmt::format("{}; and {} more", text_, count_ - reported_max)};
}

} // namespace hive::wire
