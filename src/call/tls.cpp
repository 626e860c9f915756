#include "call/tls.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <system_error>

namespace hive::call {
namespace {

std::string openssl_reason() {
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    // A code of the operating system has no words in OpenSSL's own tables.
    if (ERR_SYSTEM_ERROR(code)) return std::system_category().message(ERR_GET_REASON(code));
    const char* reason = ERR_reason_error_string(code);
    return reason == nullptr ? "it cannot be read" : reason;
}

Status trust(SSL_CTX* context, const TlsOptions& options) {
    SSL_CTX_set_verify(context, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    if (!options.verify) return {};
    if (options.ca_file.empty()) {
        if (SSL_CTX_set_default_verify_paths(context) == 1) return {};
        return fail(
            Errc::unavailable, "cannot use this machine's authorities: " + openssl_reason());
    }
    if (SSL_CTX_load_verify_locations(context, options.ca_file.c_str(), nullptr) == 1) return {};
    return fail(
        Errc::invalid,
        fmt::format("cannot use the authorities in {}: {}", options.ca_file, openssl_reason()));
}

Status identify(SSL_CTX* context, const TlsOptions& options) {
    if (options.certificate_file.empty() != options.key_file.empty())
        return fail(Errc::invalid, "a client certificate needs its key, and a key its certificate");
    if (options.certificate_file.empty()) return {};
    if (SSL_CTX_use_certificate_chain_file(context, options.certificate_file.c_str()) != 1)
        return fail(
            Errc::invalid,
            fmt::format(
                "cannot use the certificate {}: {}", options.certificate_file, openssl_reason()));
    if (SSL_CTX_use_PrivateKey_file(context, options.key_file.c_str(), SSL_FILETYPE_PEM) != 1)
        return fail(
            Errc::invalid,
            fmt::format("cannot use the key {}: {}", options.key_file, openssl_reason()));
    if (SSL_CTX_check_private_key(context) == 1) return {};
    return fail(
        Errc::invalid, fmt::format(
                           "the key {} does not belong to the certificate {}", options.key_file,
                           options.certificate_file));
}

int slot_index() {
    static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

int on_new_session(SSL* connection, SSL_SESSION* session) {
    auto* slot = static_cast<SessionSlot*>(SSL_get_ex_data(connection, slot_index()));
    if (slot == nullptr) return 0;
    slot->reset(session);
    return 1; // the reference is ours now
}

} // namespace

void FreeSession::operator()(SSL_SESSION* session) const noexcept {
    SSL_SESSION_free(session);
}

void keep_sessions(SSL* connection, SessionSlot* slot) noexcept {
    SSL_set_ex_data(connection, slot_index(), slot);
}

Result<std::shared_ptr<const TlsClient>> TlsClient::load(TlsOptions options) {
    ERR_clear_error();
    std::shared_ptr<SSL_CTX> context{SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
    if (!context) return fail(Errc::unavailable, "OpenSSL: " + openssl_reason());
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    // Idle connections give their record buffers back: 34 kB each otherwise.
    SSL_CTX_set_mode(
        context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                           SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(
        context.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context.get(), on_new_session);
    if (auto trusted = trust(context.get(), options); !trusted) return fail(trusted.error());
    if (auto known = identify(context.get(), options); !known) return fail(known.error());
    if (options.offer_http) {
        static constexpr std::array<unsigned char, 9> http{8,   'h', 't', 't', 'p',
                                                           '/', '1', '.', '1'};
        SSL_CTX_set_alpn_protos(context.get(), http.data(), http.size());
    }
    return std::shared_ptr<const TlsClient>{new TlsClient{std::move(options), std::move(context)}};
}

} // namespace hive::call
