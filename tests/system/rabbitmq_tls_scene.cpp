#include "tests/system/rabbitmq_tls_scene.hpp"

#include "tests/support/child_process.hpp"
#include "tests/support/loopback_port.hpp"
#include "tests/system/rabbitmq_scene.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace hive::tests {
namespace {

void openssl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "openssl");
    const auto finished = run({.argv = std::move(arguments)}, 30s);
    if (finished.exit_code != 0) throw std::runtime_error("openssl failed: " + finished.output);
}

KeyPair shared_authority(const std::filesystem::path& certificate) {
    auto key = certificate;
    return {certificate, key.replace_extension("key")};
}

} // namespace

std::filesystem::path Certificates::next(const std::string& name) {
    return directory_.path() / fmt::format("{}-{}", ++count_, name);
}

KeyPair Certificates::issue(const std::string& name, int days) {
    return issue(shared_authority(shared_server().certificates().ca), name, days);
}

KeyPair Certificates::issue_by_stranger(const std::string& name) {
    return issue(shared_authority(shared_server().certificates().other_ca), name, 2);
}

KeyPair Certificates::issue(const KeyPair& authority, const std::string& name, int days) {
    const KeyPair made{next("certificate.pem"), next("certificate.key")};
    const auto request = next("request.csr");
    openssl(
        {"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
         "/CN=" + name, "-keyout", made.key, "-out", request, "-addext",
         "subjectAltName=DNS:" + name});
    openssl(
        {"x509", "-req", "-in", request, "-CA", authority.certificate, "-CAkey", authority.key,
         "-CAcreateserial", "-days", std::to_string(days), "-copy_extensions", "copy", "-out",
         made.certificate});
    return made;
}

std::filesystem::path Certificates::write(const std::string& name, std::string_view text) {
    auto path = next(name);
    std::ofstream{path} << text;
    return path;
}

std::filesystem::path Certificates::lock(const std::filesystem::path& key) {
    auto path = next("locked.key");
    openssl({"ec", "-in", key, "-aes128", "-passout", "pass:sesame", "-out", path});
    return path;
}

TlsListener::TlsListener(const Settings& settings) : port_{reserve_loopback_port()} {
    const auto& server = shared_server().certificates();
    const bool own = settings.identity.certificate.empty();
    shared_server().eval(fmt::format(
        "rabbit_networking:start_ssl_listener({{\"127.0.0.1\", {}}}, [{{cacertfile, \"{}\"}}, "
        "{{certfile, \"{}\"}}, {{keyfile, \"{}\"}}, {{verify, {}}}, {{fail_if_no_peer_cert, {}}}], "
        "1).",
        port_, server.ca.string(), (own ? server.server : settings.identity.certificate).string(),
        (own ? server.server_key : settings.identity.key).string(),
        settings.require_client_certificate ? "verify_peer" : "verify_none",
        settings.require_client_certificate));
}

TlsListener::~TlsListener() {
    shared_server().eval(
        fmt::format("rabbit_networking:stop_tcp_listener({{\"127.0.0.1\", {}}}).", port_));
}

std::string TlsListener::url(std::string_view query) const {
    return fmt::format(
        "amqps://guest:guest@localhost:{}/%2f?cacertfile={}&{}", port_,
        shared_server().certificates().ca.string(), query);
}

} // namespace hive::tests
