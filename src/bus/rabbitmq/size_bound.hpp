#pragma once

#include "bus/rabbitmq/options.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <string_view>

namespace hive::bus::rabbitmq {

// A body that its receivers or the broker would refuse is refused before it leaves: the broker
// answers it by closing the channel, and everything in flight there has to go again.
std::size_t item_bytes_max(const Options& options);
std::size_t envelope_bytes_max(const Options& options);

// Errc::invalid, since the same body would fail again. `what` begins the sentence.
Error over_bound(std::string_view what, std::size_t bytes, std::size_t bound);

} // namespace hive::bus::rabbitmq
