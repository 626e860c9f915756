#pragma once

#include "api/http/conn.hpp"

#include <boost/asio/generic/stream_protocol.hpp>

#include <memory>

namespace hive::http {

using Socket = asio::generic::stream_protocol::socket;

std::unique_ptr<Conn> make_plain_conn(Socket socket);

} // namespace hive::http
