#include "kernel/append_format.hpp"

#include <fmt/format.h>

#include <iterator>

namespace hive {

void append_formatted(std::string& out, fmt::string_view format, fmt::format_args values) {
    fmt::vformat_to(std::back_inserter(out), format, values);
}

} // namespace hive
