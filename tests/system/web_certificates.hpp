#pragma once

#include "api/http/tls_context.hpp"
#include "tests/support/scratch_directory.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace hive::test {

struct CertificateFor {
    std::string name = "localhost";                         // its only name
    std::chrono::seconds valid_for = std::chrono::hours{1}; // negative: it ended that long ago
};

// A self-signed certificate: its file is also the authority that a client has to trust.
class WebCertificate {
public:
    explicit WebCertificate(const CertificateFor& what);

    std::string file() const { return (directory_.path() / "cert.pem").string(); }
    std::string key_file() const { return (directory_.path() / "key.pem").string(); }
    std::shared_ptr<http::TlsContext> context() const;

private:
    tests::ScratchDirectory directory_;
};

} // namespace hive::test
