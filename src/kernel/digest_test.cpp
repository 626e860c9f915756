#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"

#include <doctest/doctest.h>

#include <string>
#include <thread>

using namespace hive;

namespace {

std::string hex_of(std::string_view text) {
    return to_hex(sha256(bytes_of(text)));
}

} // namespace

TEST_CASE("SHA-256 agrees with the examples of FIPS 180") {
    CHECK(hex_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hex_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(
        hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("MD5 agrees with the examples of RFC 1321") {
    CHECK(to_hex(md5(bytes_of(""))) == "d41d8cd98f00b204e9800998ecf8427e");
    CHECK(to_hex(md5(bytes_of("message digest"))) == "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST_CASE("SHA-256 of pieces is that of the whole, and the hasher starts afresh") {
    const std::string text(1000, 'a');
    Sha256 hasher;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < text.size(); i += 7) {
            hasher.update(bytes_of(std::string_view{text}.substr(i, 7)));
        }
        CHECK(to_hex(hasher.finish()) == hex_of(text));
    }
    CHECK(to_hex(sha256({bytes_of("a"), bytes_of(""), bytes_of("bc")})) == hex_of("abc"));
}

TEST_CASE("parts of any size hash as if they were one") {
    const std::string text(1200, 'b');
    const std::string_view whole{text};
    for (const std::size_t first : {0U, 1U, 511U, 512U, 513U, 600U}) {
        for (const std::size_t second : {0U, 1U, 511U, 512U, 513U, 600U}) {
            const Digest digest = sha256(
                {bytes_of(whole.substr(0, first)), bytes_of(whole.substr(first, second)),
                 bytes_of(whole.substr(first + second))});
            CHECK(to_hex(digest) == hex_of(text));
        }
    }
}

TEST_CASE("threads hash without disturbing each other") {
    const auto expected = sha256(bytes_of("abc"));
    bool same = true;
    std::thread other{[&] {
        for (int i = 0; i < 1000; ++i) same = same && sha256(bytes_of("abc")) == expected;
    }};
    for (int i = 0; i < 1000; ++i) CHECK(sha256(bytes_of("abd")) != expected);
    other.join();
    CHECK(same);
}

TEST_CASE("HMAC agrees with the examples of RFC 4231") {
    const Bytes key1(20, 0x0b);
    CHECK(
        to_hex(hmac_sha256(key1, bytes_of("Hi There"))) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    CHECK(
        to_hex(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    const Bytes long_key(131, 0xaa);
    CHECK(
        to_hex(hmac_sha256(
            long_key, bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("HMAC takes an empty key and an empty message") {
    CHECK(
        to_hex(hmac_sha256({}, {})) ==
        "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST_CASE("bytes are equal only in full") {
    CHECK(equal_in_constant_time(bytes_of("abc"), bytes_of("abc")));
    CHECK(equal_in_constant_time({}, {}));
    CHECK_FALSE(equal_in_constant_time(bytes_of("abc"), bytes_of("abd")));
    CHECK_FALSE(equal_in_constant_time(bytes_of("abc"), bytes_of("ab")));
}

TEST_CASE("CRC-32 gives the published check value") {
    CHECK(crc32(bytes_of("123456789")) == 0xcbf43926U);
    CHECK(crc32({}) == 0);
}
