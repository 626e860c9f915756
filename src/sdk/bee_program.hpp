#pragma once

#include "worker/workload.hpp"

namespace hive::sdk {

// A program that is one bee: lives as its environment says (docs/guides/custom-bees.md) until
// SIGTERM or SIGINT, lets what is under way finish, and answers the exit code: 0; 2 where the
// environment is wrong; 3 where the bee could not start or gave up. Says why on standard error.
int run_bee(const worker::BeeKind& kind);

} // namespace hive::sdk
