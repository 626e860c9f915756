#include "bus/rabbitmq/tls_errors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

namespace hive::bus::rabbitmq {
namespace {

// Why a file cannot be opened; nothing when it can.
std::optional<std::string> obstacle(const std::string& file) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::generic_category().message(errno);
    ::close(fd);
    return std::nullopt;
}

std::optional<Error> unreadable(std::string_view option, const std::string& file) {
    const auto why = obstacle(file);
    if (!why) return std::nullopt;
    return Error{
        Errc::invalid, fmt::format(
                           "cannot open '{}' ({} of the broker URL): {}; correct the path or the "
                           "file's permissions",
                           file, option, *why)};
}

// Servers differ in how they say that they miss a certificate.
bool misses_certificate(const TlsReasons& reasons) {
    constexpr int said[] = {
        SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, SSL_R_SSLV3_ALERT_NO_CERTIFICATE,
        SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE};
    return std::ranges::any_of(said, [&](int each) { return reasons.has(ERR_LIB_SSL, each); });
}

bool refuses_certificate(const TlsReasons& reasons) {
    constexpr int said[] = {
        SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,     SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE,
        SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN,
        SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE,   SSL_R_TLSV1_ALERT_ACCESS_DENIED};
    return std::ranges::any_of(said, [&](int each) { return reasons.has(ERR_LIB_SSL, each); });
}

// What the server says about who we are; nothing when that is not what it complains about.
std::optional<std::string> complaint(const TlsReasons& reasons, const Tls& tls) {
    if (tls.cert_file.empty()) {
        if (!misses_certificate(reasons) && !refuses_certificate(reasons)) return std::nullopt;
        return "asks for a client certificate; set certfile and keyfile in the broker URL to one "
               "that a CA of the broker signed";
    }
    const auto ours = fmt::format("client certificate '{}'", tls.cert_file);
    if (reasons.has(ERR_LIB_SSL, SSL_R_TLSV1_ALERT_UNKNOWN_CA)) {
        return fmt::format(
            "does not know the CA of our {}; use a certfile that a CA of the broker signed, or "
            "add its CA to the broker's ssl_options.cacertfile",
            ours);
    }
    if (reasons.has(ERR_LIB_SSL, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED)) {
        return fmt::format("says that our {} has expired; renew it", ours);
    }
    if (misses_certificate(reasons) || refuses_certificate(reasons)) {
        return fmt::format(
            "does not accept our {}; use a certfile that a CA of the broker signed", ours);
    }
    return std::nullopt;
}

bool is_unknown_ca(int reason) {
    switch (reason) {
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return true;
    default: return false;
    }
}

} // namespace

TlsReasons TlsReasons::take() {
    std::vector<std::pair<int, int>> all;
    while (const unsigned long error = ERR_get_error()) {
        all.emplace_back(ERR_GET_LIB(error), ERR_GET_REASON(error));
    }
    return TlsReasons{std::move(all)};
}

bool TlsReasons::has(int library, int reason) const {
    return std::ranges::find(all_, std::pair{library, reason}) != all_.end();
}

const std::string& checked_name(const Endpoint& endpoint) {
    return endpoint.tls->server_name.empty() ? endpoint.host : endpoint.tls->server_name;
}

Error unverified_error(const Unverified& failure, const Endpoint& endpoint) {
    const auto sentence = [&] {
        const char* word = X509_verify_cert_error_string(failure.reason);
        switch (failure.reason) {
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH:
            return fmt::format(
                "is not for '{}'; connect by the name in the certificate or set "
                "server_name_indication in the broker URL",
                checked_name(endpoint));
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return fmt::format(
                "expired on {}; renew it on the broker, or correct this machine's clock",
                failure.until);
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return fmt::format(
                "is not valid before {}; correct this machine's clock, or the certificate on the "
                "broker",
                failure.from);
        default:
            if (!is_unknown_ca(failure.reason)) {
                return fmt::format("is not accepted: {}; replace it on the broker", word);
            }
            return fmt::format(
                "is signed by a CA that is not trusted here ({}); name its CA file as cacertfile "
                "in the broker URL",
                word);
        }
    };
    return {Errc::denied, fmt::format("the certificate of {} {}", endpoint.where(), sentence())};
}

Error ca_file_error(const std::string& file) {
    if (auto error = unreadable("cacertfile", file)) return *error;
    return {
        Errc::invalid,
        fmt::format(
            "'{}' (cacertfile of the broker URL) holds no CA certificate; it must be a PEM file",
            file)};
}

Error locked_key_error(const std::string& file) {
    return {
        Errc::invalid,
        fmt::format(
            "the key '{}' (keyfile of the broker URL) is locked with a passphrase; save it without "
            "one and protect the file instead",
            file)};
}

Error client_files_error(const Tls& tls, const TlsReasons& reasons) {
    if (auto error = unreadable("certfile", tls.cert_file)) return *error;
    if (auto error = unreadable("keyfile", tls.key_file)) return *error;
    if (reasons.has(ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH)) {
        return {
            Errc::invalid, fmt::format(
                               "the key '{}' does not belong to the certificate '{}'; correct "
                               "keyfile or certfile of the broker URL",
                               tls.key_file, tls.cert_file)};
    }
    return {
        Errc::invalid, fmt::format(
                           "cannot use '{}' and '{}' (certfile, keyfile of the broker URL); both "
                           "must be PEM files, one with a certificate and one with its key",
                           tls.cert_file, tls.key_file)};
}

Error handshake_error(
    const TlsReasons& reasons, std::string_view detail, const Endpoint& endpoint) {
    const auto where = endpoint.where();
    if (const auto said = complaint(reasons, *endpoint.tls)) {
        return {Errc::denied, fmt::format("{} {}", where, *said)};
    }
    const auto is_ssl = [&](int reason) { return reasons.has(ERR_LIB_SSL, reason); };
    if (is_ssl(SSL_R_WRONG_VERSION_NUMBER) || is_ssl(SSL_R_HTTP_REQUEST)) {
        return {
            Errc::unavailable, fmt::format(
                                   "{} does not speak TLS; use RabbitMQ's TLS port (usually 5671), "
                                   "or amqp:// in the broker URL",
                                   where)};
    }
    if (is_ssl(SSL_R_TLSV1_ALERT_PROTOCOL_VERSION) || is_ssl(SSL_R_UNSUPPORTED_PROTOCOL)) {
        return {
            Errc::unavailable, fmt::format(
                                   "{} speaks no TLS of version 1.2 or later; enable one in "
                                   "ssl_options.versions of the broker",
                                   where)};
    }
    return {
        Errc::unavailable,
        fmt::format(
            "{} ended the TLS connection before login ({}); check that this is RabbitMQ's TLS "
            "port, and see the broker's log",
            where, detail)};
}

} // namespace hive::bus::rabbitmq
