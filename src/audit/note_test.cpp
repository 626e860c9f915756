#include "audit/note.hpp"
#include "kernel/encoding.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;

namespace {

constexpr std::string_view text = "hive.example/main\n7\nsome lines\n";

struct Signer {
    std::string name;
    SigningKey key;

    TrustedKey trusted() const { return TrustedKey::make(name, key.verifying_key()).value(); }
    std::string sign(std::string_view body) const { return sign_note(body, name, key).value(); }
};

Signer log_signer() {
    return {"hive.example/main", SigningKey::from_seed({1})};
}
Signer witness() {
    return {"witness.example", SigningKey::from_seed({2})};
}

// The note of one signer with the signature line of another added.
std::string with_signature(const std::string& note, const Signer& other) {
    const std::string signed_too = other.sign(text);
    return note + signed_too.substr(signed_too.find("\n\n") + 2);
}

bool opens(std::string_view note, std::vector<TrustedKey> keys) {
    return open_note(note, keys).has_value();
}

} // namespace

TEST_CASE("a note opens with the key that signed it and gives its text") {
    const Signer signer = log_signer();
    const std::string note = signer.sign(text);
    const std::vector keys{signer.trusted()};
    const auto opened = open_note(note, keys);
    REQUIRE(opened);
    CHECK(opened->text == text);
    CHECK(opened->signer == signer.name);
}

TEST_CASE("a note has the form that C2SP specifies") {
    const Signer signer{"PeterNeumann", SigningKey::from_seed({3})};
    const std::string note = signer.sign("If you think cryptography is the answer\n");
    CHECK(note.starts_with("If you think cryptography is the answer\n\n\u2014 PeterNeumann "));
    CHECK(note.ends_with("=\n")); // 68 bytes of base64
}

TEST_CASE("a note of the Go implementation opens with its published key") {
    // From the documentation of golang.org/x/mod/sumdb/note.
    const auto key =
        TrustedKey::parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    REQUIRE(key);
    CHECK(key->text() == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    CHECK(opens(
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
        "\n"
        "\u2014 PeterNeumann "
        "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdn"
        "gotpRZb6KE6RyyBwJnAM=\n",
        {*key}));
}

TEST_CASE("a changed byte anywhere in a note is found") {
    const Signer signer = log_signer();
    const std::string note = signer.sign(text);
    for (std::size_t i = 0; i < note.size(); ++i) {
        for (const unsigned flip : {0x01U, 0x20U, 0x80U}) {
            std::string bad = note;
            bad[i] = static_cast<char>(static_cast<unsigned char>(bad[i]) ^ flip);
            CHECK_MESSAGE(!opens(bad, {signer.trusted()}), "byte ", i);
        }
    }
}

TEST_CASE("a note cut short anywhere does not open") {
    const Signer signer = log_signer();
    const std::string note = signer.sign(text);
    for (std::size_t size = 0; size < note.size(); ++size) {
        CHECK_FALSE(opens(note.substr(0, size), {signer.trusted()}));
    }
}

TEST_CASE("a note opens only with a key of the same name") {
    const Signer signer = log_signer();
    const std::string note = signer.sign(text);
    CHECK_FALSE(opens(note, {}));
    CHECK_FALSE(opens(note, {witness().trusted()}));
    CHECK_FALSE(opens(note, {TrustedKey::make("other", signer.key.verifying_key()).value()}));
}

TEST_CASE("signatures of unknown witnesses are passed over, wrong ones of known keys are not") {
    const Signer signer = log_signer();
    const std::string both = with_signature(signer.sign(text), witness());
    CHECK(opens(both, {signer.trusted()}));
    CHECK(opens(both, {witness().trusted()}));
    std::string bad = both;
    bad[bad.size() - 10] = bad[bad.size() - 10] == 'A' ? 'B' : 'A';
    CHECK(opens(bad, {signer.trusted()}));
    CHECK_FALSE(opens(bad, {signer.trusted(), witness().trusted()}));
}

TEST_CASE("a note with too many signatures or bytes is refused") {
    const Signer signer = log_signer();
    std::string note = signer.sign(text);
    for (std::size_t i = 1; i < note_signatures_max; ++i) note = with_signature(note, witness());
    CHECK(opens(note, {signer.trusted()}));
    CHECK_FALSE(opens(with_signature(note, witness()), {signer.trusted()}));
    CHECK_FALSE(sign_note(std::string(note_bytes_max, 'x') + "\n", "name", signer.key));
}

TEST_CASE("what cannot be a note is not signed") {
    const Signer signer = log_signer();
    CHECK_FALSE(sign_note("no line end", "name", signer.key));
    CHECK_FALSE(sign_note("tab\there\n", "name", signer.key));
    CHECK_FALSE(sign_note("\xff\n", "name", signer.key));
    CHECK_FALSE(sign_note("text\n", "two words", signer.key));
    CHECK_FALSE(sign_note("text\n", "a+b", signer.key));
    CHECK_FALSE(sign_note("text\n", "", signer.key));
}

TEST_CASE("a public key survives the trip through its text and is refused when it does not fit") {
    const TrustedKey key = log_signer().trusted();
    const auto back = TrustedKey::parse(key.text());
    REQUIRE(back);
    CHECK(*back == key);
    const std::string whole = key.text();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string bad = whole;
        bad[i] = bad[i] == 'b' ? 'c' : 'b';
        CHECK_FALSE(TrustedKey::parse(bad));
        CHECK_FALSE(TrustedKey::parse(whole.substr(0, i)));
    }
}
