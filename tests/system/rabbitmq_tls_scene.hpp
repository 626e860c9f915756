#pragma once

#include "tests/support/rabbit_server.hpp"
#include "tests/support/scratch_directory.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace hive::tests {

struct KeyPair {
    std::filesystem::path certificate;
    std::filesystem::path key;
};

// Certificates beyond those that every server has.
class Certificates {
public:
    // For `name`, signed by the shared server's CA; valid for that many days from now.
    KeyPair issue(const std::string& name, int days = 2);
    KeyPair issue_by_stranger(const std::string& name); // signed by a CA nobody trusts
    std::filesystem::path write(const std::string& name, std::string_view text);
    std::filesystem::path lock(const std::filesystem::path& key); // with a passphrase

private:
    KeyPair issue(const KeyPair& authority, const std::string& name, int days);
    std::filesystem::path next(const std::string& name);

    ScratchDirectory directory_;
    int count_ = 0;
};

// Another TLS listener of the shared server, with settings of its own.
class TlsListener {
public:
    struct Settings {
        KeyPair identity{}; // empty: the server's own
        bool require_client_certificate = false;
    };
    explicit TlsListener(const Settings& settings);
    ~TlsListener();
    TlsListener(const TlsListener&) = delete;
    TlsListener& operator=(const TlsListener&) = delete;

    std::string url(std::string_view query) const; // trusting its CA

private:
    std::uint16_t port_;
};

} // namespace hive::tests
