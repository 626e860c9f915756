#pragma once

#include <boost/asio/awaitable.hpp>

#include <variant>

namespace hive::http {

// A value that is there already, or that a coroutine will bring. Most answers are ready at once,
// and those pay for no coroutine.
template <class T>
using Eventually = std::variant<T, boost::asio::awaitable<T>>;

} // namespace hive::http
