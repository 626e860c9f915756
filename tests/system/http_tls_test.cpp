#include "tests/system/http_transport.hpp"

#include <doctest/doctest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// A self-signed certificate in a directory of its own.
class Certificate {
public:
    explicit Certificate(const std::string& name) {
        std::string pattern = "/tmp/hive-tls-XXXXXX";
        directory_ = ::mkdtemp(pattern.data());
        issue(name);
    }
    ~Certificate() { std::filesystem::remove_all(directory_); }

    http::TlsFiles files() const { return {directory_ + "/cert.pem", directory_ + "/key.pem"}; }

    void issue(const std::string& name) const {
        const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{
            EVP_EC_gen("P-256"), EVP_PKEY_free};
        const std::unique_ptr<X509, decltype(&X509_free)> made{X509_new(), X509_free};
        X509_set_version(made.get(), 2);
        ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
        X509_gmtime_adj(X509_getm_notBefore(made.get()), -60);
        X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
        X509_set_pubkey(made.get(), key.get());
        X509_NAME* subject = X509_get_subject_name(made.get());
        X509_NAME_add_entry_by_txt(
            subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1,
            -1, 0);
        X509_set_issuer_name(made.get(), subject);
        X509_sign(made.get(), key.get(), EVP_sha256());
        write(files().certificate_chain, [&](FILE* to) { PEM_write_X509(to, made.get()); });
        write(files().private_key, [&](FILE* to) {
            PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
    }

private:
    static void write(const std::string& path, const std::function<void(FILE*)>& body) {
        FILE* file = std::fopen(path.c_str(), "w");
        REQUIRE(file != nullptr);
        body(file);
        std::fclose(file);
    }
    std::string directory_;
};

std::shared_ptr<http::TlsContext> load(const Certificate& certificate) {
    auto context = http::TlsContext::load(certificate.files());
    REQUIRE(context);
    return std::move(*context);
}

http::ServerOptions secure(std::shared_ptr<http::TlsContext> context) {
    return {.listen = {{.address = "127.0.0.1:0", .tls = std::move(context)}}};
}

} // namespace

TEST_CASE("TLS serves what plain TCP does: keep-alive, large bodies, pipelining") {
    const Certificate certificate{"first"};
    TransportUnderTest under{secure(load(certificate))};
    Client client = Client::tls(under.address());
    CHECK(client.certificate_subject() == "/CN=first");
    CHECK(client.get("/a").body == "/a");
    const std::string body(std::size_t{2} << 20U, 'x');
    client.send(
        "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body);
    CHECK(client.receive()->body == body);
    client.send("GET /b HTTP/1.1\r\nHost: h\r\n\r\nGET /big HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(client.receive()->body == "/b");
    CHECK(client.receive()->body.size() == std::size_t{1} << 20U);
}

TEST_CASE("a new certificate is used for new connections and leaves old ones alone") {
    const Certificate certificate{"old"};
    const auto context = load(certificate);
    TransportUnderTest under{secure(context)};
    Client before = Client::tls(under.address());
    CHECK(before.get("/").status == 200);
    certificate.issue("new");
    REQUIRE(context->reload());
    Client after = Client::tls(under.address());
    CHECK(after.certificate_subject() == "/CN=new");
    CHECK(before.get("/").status == 200);
}

TEST_CASE("the server itself notices files that have changed") {
    const Certificate certificate{"old"};
    auto options = secure(load(certificate));
    options.certificate_check = 10ms;
    TransportUnderTest under{options};
    certificate.issue("new");
    // File times may be coarse: make sure that this one differs.
    std::filesystem::last_write_time(
        certificate.files().private_key, std::filesystem::file_time_type::clock::now() + 5s);
    CHECK(eventually(
        [&] { return Client::tls(under.address()).certificate_subject() == "/CN=new"; }));
}

TEST_CASE("a broken certificate is refused at the start, and at a reload leaves the old one") {
    CHECK_FALSE(http::TlsContext::load({"/nonexistent/cert", "/nonexistent/key"}));
    const Certificate certificate{"good"};
    const auto context = load(certificate);
    std::filesystem::resize_file(certificate.files().certificate_chain, 10);
    const auto reloaded = context->reload();
    REQUIRE_FALSE(reloaded);
    CHECK(reloaded.error().detail.find("cert.pem") != std::string::npos);
    TransportUnderTest under{secure(context)};
    CHECK(Client::tls(under.address()).certificate_subject() == "/CN=good");
}

TEST_CASE("a client without TLS, or that never finishes its handshake, is dropped") {
    const Certificate certificate{"x"};
    auto options = secure(load(certificate));
    options.limits.handshake_timeout = 50ms;
    options.limits.sweep_every = 5ms;
    TransportUnderTest under{options};
    Client plain = Client::tcp(under.address());
    plain.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(plain.closed_by_server());
    Client silent = Client::tcp(under.address());
    CHECK(silent.closed_by_server());
    CHECK(eventually([&] { return under.server->traffic().failed_handshakes == 2; }));
}

TEST_CASE("handshakes over the limit are dropped") {
    const Certificate certificate{"x"};
    auto options = secure(load(certificate));
    options.limits.handshakes = 0;
    TransportUnderTest under{options};
    CHECK(Client::tcp(under.address()).closed_by_server());
    CHECK(under.server->traffic().refused_connections == 1);
}
