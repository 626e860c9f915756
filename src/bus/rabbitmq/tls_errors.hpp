#pragma once

#include "bus/rabbitmq/endpoint.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::bus::rabbitmq {

// Why OpenSSL did not accept the server's certificate.
struct Unverified {
    int reason = 0;     // X509_V_ERR_...; 0: it was accepted
    std::string from{}; // the certificate's dates, for people
    std::string until{};
};

// What OpenSSL noted about a failure on this thread: libraries and their reasons.
class TlsReasons {
public:
    static TlsReasons take(); // and forgets them
    explicit TlsReasons(std::vector<std::pair<int, int>> all) : all_{std::move(all)} {}

    bool empty() const { return all_.empty(); }
    bool has(int library, int reason) const;

private:
    std::vector<std::pair<int, int>> all_;
};

// One sentence each: what is wrong, where, what to do.
Error unverified_error(const Unverified& failure, const Endpoint& endpoint);
Error ca_file_error(const std::string& file);
Error locked_key_error(const std::string& file);
Error client_files_error(const Tls& tls, const TlsReasons& reasons);
// The connection ended while the two sides introduced themselves; `detail` is the library's word.
Error handshake_error(const TlsReasons& reasons, std::string_view detail, const Endpoint& endpoint);

const std::string& checked_name(const Endpoint& endpoint); // which the certificate must be for

} // namespace hive::bus::rabbitmq
