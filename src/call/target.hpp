#pragma once

#include "call/tls.hpp"
#include "call/url.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hive::call {

// Where calls go: made once and shared by all calls to it, since connections are kept by it.
class Target {
public:
    // The path of `url` is not part of it. `tls` may be null where the scheme is not secure.
    static Result<std::shared_ptr<const Target>>
    make(const Url& url, std::shared_ptr<const TlsClient> tls = nullptr);

    Scheme scheme() const noexcept { return scheme_; }
    const std::string& host() const noexcept { return host_; }
    std::uint16_t port() const noexcept { return port_; }
    const std::string& authority() const noexcept { return authority_; } // the Host header
    const std::shared_ptr<const TlsClient>& tls() const noexcept { return tls_; }
    // The name for SNI and the certificate's check.
    const std::string& server_name() const noexcept;
    std::string text() const; // https://host:port, for people

private:
    Target(const Url& url, std::shared_ptr<const TlsClient> tls);

    Scheme scheme_;
    std::string host_;
    std::uint16_t port_;
    std::string authority_;
    std::shared_ptr<const TlsClient> tls_;
};

} // namespace hive::call
