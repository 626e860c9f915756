#pragma once

#include "kernel/result.hpp"

#include <openssl/types.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

namespace hive::http {

struct TlsFiles {
    std::string certificate_chain; // PEM, leaf first
    std::string private_key;       // PEM
};

// The server's certificate. Reloading replaces what the next handshake uses; connections that exist
// keep the one they were opened with. May be used from any thread.
class TlsContext {
public:
    static Result<std::unique_ptr<TlsContext>> load(TlsFiles files);

    // Both leave the old certificate in place when the new one is unusable, and say why.
    Status reload();
    Result<bool> reload_if_changed(); // by modification time; true when it was reloaded

    // Shared, because a connection may outlive the certificate it was opened with.
    std::shared_ptr<SSL_CTX> current() const;

private:
    using FileTime = std::filesystem::file_time_type;

    explicit TlsContext(TlsFiles files) : files_{std::move(files)} {}
    FileTime newest_change() const;

    TlsFiles files_;
    mutable std::mutex mutex_;
    std::shared_ptr<SSL_CTX> context_;
    FileTime loaded_change_{};
};

} // namespace hive::http
