#pragma once

#include "web/client.hpp"

#include <boost/asio/awaitable.hpp>

namespace hive::rest {

// A request to another server; the coroutine goes on where it was. The client outlives it.
boost::asio::awaitable<Result<web::Answer>> ask(web::Client* client, web::Request request);

} // namespace hive::rest
