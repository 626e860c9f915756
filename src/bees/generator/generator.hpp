#pragma once

#include "worker/workload.hpp"

#include <string>

namespace hive::bees {

// Makes a message of each item of its input: a request for a processor, or any text. Config:
// `message` with `bodyType`, `method`, `path`, `headers` and `body`, all of them templates. A
// `data-provider` is the same bee with a dataset for its input.
worker::BeeKind generator(std::string role = "generator");

} // namespace hive::bees
