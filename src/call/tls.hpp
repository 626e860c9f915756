#pragma once

#include "kernel/result.hpp"

#include <openssl/types.h>

#include <memory>
#include <string>

struct ssl_session_st; // SSL_SESSION, whose header is a large one

namespace hive::call {

struct TlsOptions {
    bool verify = true;             // the chain and the host's name
    std::string ca_file{};          // PEM; empty: the authorities this machine trusts
    std::string certificate_file{}; // PEM chain, for servers that want to know who calls
    std::string key_file{};         // PEM
    std::string server_name{};      // for SNI and the check; empty: the host of the target
    bool offer_http = true;         // ALPN http/1.1
};

struct FreeSession {
    void operator()(ssl_session_st* session) const noexcept;
};
// The last session with one target, to be gone on with by its next connection. For one thread.
using SessionSlot = std::unique_ptr<ssl_session_st, FreeSession>;

// Has the sessions that the server offers on this connection put into the slot, which outlives it.
void keep_sessions(SSL* connection, SessionSlot* slot) noexcept;

// Shared by all connections of all lanes. Read once: files that change later need a new one.
class TlsClient {
public:
    static Result<std::shared_ptr<const TlsClient>> load(TlsOptions options);

    const TlsOptions& options() const noexcept { return options_; }
    SSL_CTX* context() const noexcept { return context_.get(); }

private:
    TlsClient(TlsOptions options, std::shared_ptr<SSL_CTX> context)
        : options_{std::move(options)}, context_{std::move(context)} {}

    TlsOptions options_;
    std::shared_ptr<SSL_CTX> context_;
};

} // namespace hive::call
