#include "audit/checkpoint.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace hive::audit;

namespace {

Checkpoint example() {
    return Checkpoint{
        .origin = "hive.example/main",
        .size = 1234,
        .root = sha256(bytes_of("root")),
        .chain = sha256(bytes_of("chain")),
        .time = parse_timestamp("2025-06-15T15:06:40Z").value()};
}

} // namespace

TEST_CASE("a checkpoint is five lines that read back") {
    const std::string text = to_text(example());
    CHECK(
        text == fmt::format(
                    "hive.example/main\n1234\n{}\nchain {}\ntime 2025-06-15T15:06:40Z\n",
                    to_base64(sha256(bytes_of("root"))), to_base64(sha256(bytes_of("chain")))));
    const auto back = parse_checkpoint(text);
    REQUIRE(back);
    CHECK(*back == example());
}

TEST_CASE("any other text is not a checkpoint") {
    const std::string text = to_text(example());
    for (std::size_t size = 0; size < text.size(); ++size) {
        CHECK_FALSE(parse_checkpoint(text.substr(0, size)));
    }
    const auto replaced = [&](std::string_view what, std::string_view with) {
        std::string bad = text;
        return bad.replace(bad.find(what), what.size(), with);
    };
    CHECK_FALSE(parse_checkpoint(text + "more\n"));
    CHECK_FALSE(parse_checkpoint(replaced("hive.example/main", "")));
    CHECK_FALSE(parse_checkpoint(replaced("1234", "01234")));
    CHECK_FALSE(parse_checkpoint(replaced("1234", "-1")));
    CHECK_FALSE(parse_checkpoint(replaced("1234", "99999999999999999999")));
    CHECK_FALSE(parse_checkpoint(replaced("chain ", "chain  ")));
    CHECK_FALSE(parse_checkpoint(replaced("chain ", "")));
    CHECK_FALSE(parse_checkpoint(replaced("time ", "date ")));
    CHECK_FALSE(parse_checkpoint(replaced("40Z", "40.000Z")));
    CHECK_FALSE(parse_checkpoint(replaced("40Z", "40+00:00")));
    CHECK_FALSE(parse_checkpoint(replaced("2025-06-15", "2025-06-31")));
}

TEST_CASE("a signed checkpoint opens with only the public key") {
    const auto key = SigningKey::from_seed({1});
    const auto made = sign(example(), key);
    REQUIRE(made);
    const std::vector keys{TrustedKey::make("hive.example/main", key.verifying_key()).value()};
    const auto opened = open_checkpoint(made->note, keys);
    REQUIRE(opened);
    CHECK(*opened == *made);
    CHECK_FALSE(open_checkpoint(made->note, {}));
}

TEST_CASE("a trusted key cannot vouch for a log of another name") {
    const auto key = SigningKey::from_seed({1});
    const auto note = sign_note(to_text(example()), "hive.example/other", key);
    REQUIRE(note);
    const std::vector keys{TrustedKey::make("hive.example/other", key.verifying_key()).value()};
    const auto refused = open_checkpoint(*note, keys);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Errc::denied);
}

TEST_CASE("an origin that cannot name a key cannot be signed") {
    auto checkpoint = example();
    checkpoint.origin = "two words";
    CHECK_FALSE(sign(checkpoint, SigningKey::from_seed({1})));
}
