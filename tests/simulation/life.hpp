#pragma once

#include "tests/simulation/faults.hpp"
#include "tests/simulation/trace.hpp"

#include <string>
#include <string_view>

namespace hive::simulation {

// One life of a component. A process may die between any two of its effects; a handler cannot be
// stopped half-way in one thread, so once a component is dying none of its effects happens any
// more, and the world buries it when the handler returns. From outside that is the same.
class Life {
public:
    // `fate` is its own, so that what happens to others does not move the moment of its death.
    Life(std::string_view name, Dice& dice, const Trace& trace, Random fate)
        : name_{name}, dice_{dice}, trace_{trace}, fate_{fate} {}

    // Asked before each effect: false means that it must not happen.
    bool survives(std::string_view effect) {
        if (dying_) return false;
        if (!dice_.strikes(Fault::crash, dice_.rates().crash_point, fate_)) return true;
        trace_.fault(name_, "dies before its {}", effect);
        dying_ = true;
        return false;
    }

    bool dying() const noexcept { return dying_; }
    void end() { dying_ = true; }

private:
    std::string name_;
    Dice& dice_;
    const Trace& trace_;
    Random fate_;
    bool dying_ = false;
};

} // namespace hive::simulation
