// What most files of controllers and bees include, on top of Asio.
#include "precompiled_asio.hpp"

#include "controller/state.hpp"
#include "kernel/log.hpp"
#include "worker/kind.hpp"
