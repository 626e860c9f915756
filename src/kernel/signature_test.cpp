#include "kernel/encoding.hpp"
#include "kernel/signature.hpp"

#include <doctest/doctest.h>

using namespace hive;

namespace {

template <std::size_t size>
std::array<std::uint8_t, size> unhex(std::string_view text) {
    std::array<std::uint8_t, size> bytes{};
    REQUIRE(read_hex(text, bytes));
    return bytes;
}

// RFC 8032, section 7.1, test 2.
constexpr std::string_view seed =
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
constexpr std::string_view public_key =
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
constexpr std::string_view signature =
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

SigningKey example_key() {
    return SigningKey::from_seed(unhex<32>(seed));
}

} // namespace

TEST_CASE("keys and signatures agree with the example of RFC 8032") {
    const auto key = example_key();
    CHECK(to_hex(key.verifying_key().raw()) == public_key);
    CHECK(to_hex(key.sign(bytes_of("r"))) == signature);
    CHECK(key.verifying_key().verify(bytes_of("r"), unhex<64>(signature)));
}

TEST_CASE("another message, key or signature does not verify") {
    const auto key = example_key();
    const auto good = key.sign(bytes_of("message"));
    CHECK_FALSE(key.verifying_key().verify(bytes_of("massage"), good));
    CHECK_FALSE(key.verifying_key().verify(bytes_of("message"), ByteView{good}.first(63)));
    CHECK_FALSE(key.verifying_key().verify(bytes_of("message"), {}));
    const auto other = SigningKey::from_seed({1});
    CHECK_FALSE(other.verifying_key().verify(bytes_of("message"), good));
    for (std::size_t i = 0; i < good.size(); ++i) {
        auto bad = good;
        bad[i] ^= 0x80U;
        CHECK_FALSE(key.verifying_key().verify(bytes_of("message"), bad));
    }
}

TEST_CASE("the second spelling of a signature (S + L) is refused") {
    // Adding the group order to S gives a number that naive verifiers accept as well.
    constexpr std::array<std::uint8_t, 32> order{0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,
                                                 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
                                                 0,    0,    0,    0,    0,    0,    0,    0,
                                                 0,    0,    0,    0,    0,    0,    0,    0x10};
    const auto key = example_key();
    auto bad = key.sign(bytes_of("message"));
    unsigned carry = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const unsigned sum = bad[32 + i] + order[i] + carry;
        bad[32 + i] = static_cast<std::uint8_t>(sum);
        carry = sum >> 8U;
    }
    CHECK_FALSE(key.verifying_key().verify(bytes_of("message"), bad));
}

TEST_CASE("keys survive the trip through PEM") {
    const auto key = example_key();
    const auto pem = key.to_pem();
    CHECK(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    const auto back = SigningKey::from_pem(pem);
    REQUIRE(back);
    CHECK(back->verifying_key() == key.verifying_key());

    const auto public_pem = key.verifying_key().to_pem();
    CHECK(public_pem.starts_with("-----BEGIN PUBLIC KEY-----\n"));
    const auto public_back = VerifyingKey::from_pem(public_pem);
    REQUIRE(public_back);
    CHECK(*public_back == key.verifying_key());
}

TEST_CASE("text that is no Ed25519 key is refused with a sentence") {
    for (const std::string& text :
         {std::string{}, std::string{"hello"}, example_key().verifying_key().to_pem(),
          std::string{"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"},
          std::string(5000, 'a')}) {
        CHECK_FALSE(SigningKey::from_pem(text));
    }
    const auto refused = VerifyingKey::from_pem("hello");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("BEGIN PUBLIC KEY") != std::string::npos);
}

TEST_CASE("an encrypted key is refused without asking for its passphrase") {
    // Made for this test; it protects nothing.
    CHECK_FALSE(
        SigningKey::from_pem("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                             "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjmfm1fFmiwAAICCAAw\n"
                             "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEL9Pns312nQchJ//gIDos9AEQAKv\n"
                             "R0nNP8ZxQAyV2abh7fIGIxGfLIA7k2F3Rqk+YEbRygi3Nu9Iqcv+Pf9e4KTkJCCs\n"
                             "g4/F3MEm26hqIo6/dbc=\n"
                             "-----END ENCRYPTED PRIVATE KEY-----\n"));
}

TEST_CASE("a key of another kind is refused") {
    const auto refused =
        VerifyingKey::from_pem("-----BEGIN PUBLIC KEY-----\n"
                               "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErvQm7SMRUQxmO21Qojp01uoXL68Q\n"
                               "S3T8ccLhywK265qFG/IY7LMKUz9Czm5aFz7t/P9gO/yoOgS6hm2TmGIcQg==\n"
                               "-----END PUBLIC KEY-----\n");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("Ed25519") != std::string::npos);
}
