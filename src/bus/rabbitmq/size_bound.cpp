#include "bus/rabbitmq/size_bound.hpp"

#include "kernel/json.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::bus::rabbitmq {

std::size_t item_bytes_max(const Options& options) {
    return std::min(options.message_bytes_max, wire::WorkItemLimits{}.bytes);
}

std::size_t envelope_bytes_max(const Options& options) {
    return std::min(options.message_bytes_max, JsonLimits{}.bytes);
}

Error over_bound(std::string_view what, std::size_t bytes, std::size_t bound) {
    return {
        Errc::invalid,
        fmt::format("{} has {} bytes, the bound is {}; it was not sent", what, bytes, bound)};
}

} // namespace hive::bus::rabbitmq
