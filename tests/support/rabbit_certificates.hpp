#pragma once

#include <filesystem>

namespace hive::tests {

// Made by openssl for one test: a CA, a server certificate for `localhost` (and nothing else, so
// that 127.0.0.1 is the wrong name), a client certificate, and a second CA nobody trusts.
struct RabbitCertificates {
    std::filesystem::path ca;
    std::filesystem::path server;
    std::filesystem::path server_key;
    std::filesystem::path client;
    std::filesystem::path client_key;
    std::filesystem::path other_ca;
};

RabbitCertificates make_rabbit_certificates(const std::filesystem::path& directory);

} // namespace hive::tests
