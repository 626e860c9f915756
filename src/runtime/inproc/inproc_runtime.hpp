#pragma once

#include "runtime/runtime.hpp"

#include <functional>
#include <memory>

namespace hive::runtime::inproc {

// A component that lives in this process. Its destructor ends it without grace.
class Inhabitant {
public:
    virtual ~Inhabitant() = default;
    // Asks it to end; `gone` is called once it has. Perhaps on another thread, perhaps at once.
    virtual void stop(std::function<void()> gone) = 0;
};

// What a component can tell its runtime.
using TellExit = std::function<void(bool failed, std::string cause)>;

// Makes a component by role and environment. The error is the reason why it could not be launched.
using Factory = std::function<Result<std::unique_ptr<Inhabitant>>(const Component&, TellExit)>;

// Components as objects on the threads of this process.
std::unique_ptr<Runtime> make_runtime(Factory factory, const Clock& clock);

} // namespace hive::runtime::inproc
