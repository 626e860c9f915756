#include "tests/system/web_certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <functional>
#include <stdexcept>

namespace hive::test {
namespace {

void write(const std::string& path, const std::function<void(FILE*)>& body) {
    const std::unique_ptr<FILE, int (*)(FILE*)> file{std::fopen(path.c_str(), "w"), std::fclose};
    if (file == nullptr) throw std::runtime_error{"cannot write " + path};
    body(file.get());
}

void add_extension(X509* to, int kind, const std::string& value) {
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension{
        X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()), X509_EXTENSION_free};
    X509_add_ext(to, extension.get(), -1);
}

} // namespace

WebCertificate::WebCertificate(const CertificateFor& what) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{
        EVP_EC_gen("P-256"), EVP_PKEY_free};
    const std::unique_ptr<X509, decltype(&X509_free)> made{X509_new(), X509_free};
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -86'400);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), static_cast<long>(what.valid_for.count()));
    X509_set_pubkey(made.get(), key.get());
    X509_NAME* subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(
        subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(what.name.c_str()), -1,
        -1, 0);
    X509_set_issuer_name(made.get(), subject);
    add_extension(made.get(), NID_subject_alt_name, "DNS:" + what.name);
    X509_sign(made.get(), key.get(), EVP_sha256());
    write(file(), [&](FILE* to) { PEM_write_X509(to, made.get()); });
    write(key_file(), [&](FILE* to) {
        PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
}

std::shared_ptr<http::TlsContext> WebCertificate::context() const {
    auto loaded = http::TlsContext::load({file(), key_file()});
    if (!loaded) throw std::runtime_error{loaded.error().detail};
    return std::move(*loaded);
}

} // namespace hive::test
