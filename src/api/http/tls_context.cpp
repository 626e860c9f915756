#include "api/http/tls_context.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace hive::http {
namespace {

std::string openssl_reason() {
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    // A code of the operating system has no words in OpenSSL's own tables.
    if (ERR_SYSTEM_ERROR(code)) return std::system_category().message(ERR_GET_REASON(code));
    const char* reason = ERR_reason_error_string(code);
    return reason == nullptr ? "it cannot be read" : reason;
}

// Only HTTP/1.1 is spoken; a client that insists on something else fails in the handshake.
// NOLINTNEXTLINE(readability-function-size): OpenSSL chooses the parameters
int choose_protocol(
    SSL*, const unsigned char** out, unsigned char* out_length, const unsigned char* in,
    unsigned in_length, void*) {
    static constexpr std::array<unsigned char, 9> ours{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* chosen = nullptr;
    const int found =
        SSL_select_next_proto(&chosen, out_length, ours.data(), ours.size(), in, in_length);
    *out = chosen;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Result<std::shared_ptr<SSL_CTX>> make_context(const TlsFiles& files) {
    ERR_clear_error();
    std::shared_ptr<SSL_CTX> context{SSL_CTX_new(TLS_server_method()), SSL_CTX_free};
    if (!context) return fail(Errc::unavailable, "OpenSSL: " + openssl_reason());
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(
        context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                           SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
    // Idle connections give their record buffers back: 34 kB each otherwise.
    SSL_CTX_set_mode(
        context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                           SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF); // tickets only
    SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
    if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate_chain.c_str()) != 1) {
        return fail(
            Errc::invalid,
            fmt::format(
                "cannot use the certificate {}: {}", files.certificate_chain, openssl_reason()));
    }
    if (SSL_CTX_use_PrivateKey_file(context.get(), files.private_key.c_str(), SSL_FILETYPE_PEM) !=
        1) {
        return fail(
            Errc::invalid,
            fmt::format("cannot use the key {}: {}", files.private_key, openssl_reason()));
    }
    if (SSL_CTX_check_private_key(context.get()) != 1) {
        return fail(
            Errc::invalid, fmt::format(
                               "the key {} does not belong to the certificate {}",
                               files.private_key, files.certificate_chain));
    }
    return context;
}

} // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::load(TlsFiles files) {
    std::unique_ptr<TlsContext> context{new TlsContext{std::move(files)}};
    if (auto loaded = context->reload(); !loaded) return fail(loaded.error());
    return context;
}

TlsContext::FileTime TlsContext::newest_change() const {
    FileTime newest = FileTime::min(); // the clock's epoch may lie in the future
    for (const std::string& path : {files_.certificate_chain, files_.private_key}) {
        std::error_code missing; // reported by reload(), which cannot read it either
        const FileTime changed = std::filesystem::last_write_time(path, missing);
        if (!missing) newest = std::max(newest, changed);
    }
    return newest;
}

Status TlsContext::reload() {
    const FileTime changed = newest_change();
    auto context = make_context(files_);
    const std::lock_guard lock{mutex_};
    // Remembered even when unusable, so that a broken file is reported once and not every check.
    loaded_change_ = changed;
    if (!context) return fail(context.error());
    context_ = std::move(*context);
    return {};
}

Result<bool> TlsContext::reload_if_changed() {
    const FileTime changed = newest_change();
    {
        const std::lock_guard lock{mutex_};
        if (changed == loaded_change_) return false;
    }
    if (auto loaded = reload(); !loaded) return fail(loaded.error());
    return true;
}

std::shared_ptr<SSL_CTX> TlsContext::current() const {
    const std::lock_guard lock{mutex_};
    return context_;
}

} // namespace hive::http
