#pragma once

#include "api/api.hpp"

#include <chrono>
#include <string>

namespace hive::api {

// One request on its way through the Api. Movable: a request that has to wait takes it into its
// coroutine.
struct Api::Work {
    CallState state;
    std::chrono::steady_clock::time_point began;
    http::HeaderBlock extra{}; // headers of the answer, whatever it will be
    std::string failure{};     // for the log
};

} // namespace hive::api
