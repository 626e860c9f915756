#include "tests/support/rabbit_certificates.hpp"

#include "tests/support/child_process.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace hive::tests {
namespace {

using namespace std::chrono_literals;
using Path = std::filesystem::path;

void openssl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "openssl");
    const auto finished = run({.argv = std::move(arguments)}, 30s);
    if (finished.exit_code != 0) throw std::runtime_error("openssl failed: " + finished.output);
}

void make_authority(const Path& certificate, const Path& key, const std::string& name) {
    openssl(
        {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
         "2", "-subj", "/CN=" + name, "-keyout", key, "-out", certificate, "-addext",
         "basicConstraints=critical,CA:TRUE"});
}

struct Issuer {
    Path certificate;
    Path key;
};

void issue(
    const Issuer& issuer, const Path& certificate, const Path& key, const std::string& name) {
    const Path request = certificate.string() + ".csr";
    openssl(
        {"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
         "/CN=" + name, "-keyout", key, "-out", request, "-addext", "subjectAltName=DNS:" + name});
    openssl(
        {"x509", "-req", "-in", request, "-CA", issuer.certificate, "-CAkey", issuer.key,
         "-CAcreateserial", "-days", "2", "-copy_extensions", "copy", "-out", certificate});
}

} // namespace

RabbitCertificates make_rabbit_certificates(const Path& directory) {
    std::filesystem::create_directories(directory);
    const RabbitCertificates made{
        .ca = directory / "ca.pem",
        .server = directory / "server.pem",
        .server_key = directory / "server.key",
        .client = directory / "client.pem",
        .client_key = directory / "client.key",
        .other_ca = directory / "other-ca.pem",
    };
    const Issuer issuer{made.ca, directory / "ca.key"};
    make_authority(issuer.certificate, issuer.key, "PocketHive test CA");
    make_authority(made.other_ca, directory / "other-ca.key", "A CA nobody trusts");
    issue(issuer, made.server, made.server_key, "localhost");
    issue(issuer, made.client, made.client_key, "hive-client");
    return made;
}

} // namespace hive::tests
