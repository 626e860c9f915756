#include "colony/gate.hpp"

namespace hive::colony {

Outcome<bool> is_held(Gate& gate, const Act& act, Moment& moment) {
    const auto verdict = gate.ask(act, moment);
    if (!verdict) return refuse(verdict.error());
    if (const auto* denied = std::get_if<Denied>(&*verdict)) {
        return refuse(Errc::denied, denied->code, denied->reason);
    }
    const auto* held = std::get_if<Held>(&*verdict);
    if (held != nullptr) moment.hold(held->approval);
    return held != nullptr;
}

} // namespace hive::colony
