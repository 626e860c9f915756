// TLS on the socket: the same calls, and the same bounds on every wait.
#include "redis/socket_shell.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <limits>

namespace hive::redis {
namespace {

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// Why a handshake or a connection failed, in words that help.
Error tls_error(SSL* tls, std::string_view doing) {
    const long verdict = SSL_get_verify_result(tls);
    if (verdict != X509_V_OK) {
        ERR_clear_error();
        return {
            Errc::unavailable,
            fmt::format(
                "its certificate is not trusted: {}", X509_verify_cert_error_string(verdict))};
    }
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
    return {
        Errc::unavailable,
        fmt::format(
            "{}: {}", doing, reason == nullptr ? "the server closed the connection" : reason)};
}

int as_int(std::size_t size) {
    return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

} // namespace

void Socket::FreeTls::operator()(ssl_st* tls) const noexcept {
    SSL_free(tls);
}

Status Socket::secure(const call::TlsClient& client, const std::string& host, TimePoint deadline) {
    tls_.reset(SSL_new(client.context()));
    if (!tls_ || SSL_set_fd(tls_.get(), fd_) != 1) return fail(Errc::unavailable, "no TLS");
    if (is_address(host)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls_.get()), host.c_str());
    } else {
        SSL_set_tlsext_host_name(tls_.get(), host.c_str());
        SSL_set1_host(tls_.get(), host.c_str());
    }
    for (;;) {
        ERR_clear_error();
        const int done = SSL_connect(tls_.get());
        if (done == 1) return {};
        if (auto ok = wait_for_tls(done, "TLS handshake", deadline); !ok) return ok;
    }
}

Status Socket::wait_for_tls(int result, std::string_view doing, TimePoint deadline) const {
    const int wants = SSL_get_error(tls_.get(), result);
    if (wants != SSL_ERROR_WANT_READ && wants != SSL_ERROR_WANT_WRITE) {
        return fail(tls_error(tls_.get(), doing));
    }
    const auto ready = wait(wants == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, deadline);
    if (ready) return {};
    return fail(ready.error().code, fmt::format("{}: {}", doing, ready.error().detail));
}

Status Socket::send_tls(std::string_view bytes, TimePoint deadline) {
    while (!bytes.empty()) {
        ERR_clear_error();
        const int sent = SSL_write(tls_.get(), bytes.data(), as_int(bytes.size()));
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (auto ok = wait_for_tls(sent, "sending failed", deadline); !ok) {
            return ok;
        }
    }
    return {};
}

Result<std::size_t> Socket::receive_tls(std::span<char> into, TimePoint deadline) {
    for (;;) {
        ERR_clear_error();
        const int got = SSL_read(tls_.get(), into.data(), as_int(into.size()));
        if (got > 0) return static_cast<std::size_t>(got);
        if (auto ok = wait_for_tls(got, "receiving failed", deadline); !ok) {
            return fail(ok.error());
        }
    }
}

} // namespace hive::redis
