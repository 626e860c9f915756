#pragma once

namespace hive {

// std::visit(overloaded{...}, variant): one lambda per alternative.
template <class... Ts>
struct overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

} // namespace hive
