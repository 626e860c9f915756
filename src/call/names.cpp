#include "call/names.hpp"

#include <array>

namespace hive::call {

std::span<const Named<ConnectionMode>> names_of(ConnectionMode) {
    static constexpr std::array names{
        Named<ConnectionMode>{"GLOBAL", ConnectionMode::shared},
        Named<ConnectionMode>{"PER_THREAD", ConnectionMode::per_worker},
        Named<ConnectionMode>{"NONE", ConnectionMode::none}};
    return names;
}

std::span<const Named<Behaviour>> names_of(Behaviour) {
    static constexpr std::array names{
        Named<Behaviour>{"REQUEST_RESPONSE", Behaviour::request_response},
        Named<Behaviour>{"ECHO", Behaviour::echo},
        Named<Behaviour>{"FIRE_FORGET", Behaviour::fire_and_forget},
        Named<Behaviour>{"STREAMING", Behaviour::streaming}};
    return names;
}

std::span<const Named<Framing>> names_of(Framing) {
    static constexpr std::array names{
        Named<Framing>{"NONE", Framing::none},
        Named<Framing>{"DELIMITER", Framing::delimiter},
        Named<Framing>{"STX_ETX", Framing::stx_etx},
        Named<Framing>{"LENGTH_PREFIX_2B", Framing::length_16},
        Named<Framing>{"LENGTH_PREFIX_4B", Framing::length_32},
        Named<Framing>{"FIXED_LENGTH", Framing::fixed_length}};
    return names;
}

} // namespace hive::call
