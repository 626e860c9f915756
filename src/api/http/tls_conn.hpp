#pragma once

#include "api/http/conn.hpp"
#include "api/http/plain_conn.hpp"

#include <openssl/types.h>

#include <memory>

namespace hive::http {

// OpenSSL straight on the socket. asio::ssl keeps four 17 kB buffers per connection and copies each
// byte once more; here an idle connection holds none.
std::unique_ptr<Conn> make_tls_conn(Socket socket, const std::shared_ptr<SSL_CTX>& context);

} // namespace hive::http
