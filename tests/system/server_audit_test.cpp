#include "audit/export_verifier.hpp"
#include "audit/proof.hpp"
#include "kernel/encoding.hpp"
#include "store/wait.hpp"
#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <future>

using namespace hive;
using namespace hive::test;

namespace {

void make_keys(const HiveUnderTest& hive, const std::string& admin, int count) {
    for (int i = 0; i < count; ++i) {
        const std::string body = fmt::format(R"({{"owner":"bee-{}","role":"bee"}})", i);
        REQUIRE(hive.send("POST", "/api/v1/keys", admin, body).status == 201);
    }
}

Digest digest_of(const json::value& hex) {
    Digest out{};
    REQUIRE(read_hex(hex.as_string(), out));
    return out;
}

std::vector<Digest> path_of(const json::value& proof) {
    std::vector<Digest> path;
    for (const auto& hash : proof.at("path").as_array()) path.push_back(digest_of(hash));
    return path;
}

audit::Report verify_export(const std::string& text, const std::string& public_key) {
    audit::ExportVerifier verifier{{audit::TrustedKey::parse(public_key).value()}};
    verifier.feed(text);
    return verifier.finish();
}

// As someone with the file and a shell would.
void tamper(const HiveUnderTest& hive, const std::string& sql) {
    sqlite3* file = nullptr;
    REQUIRE(::sqlite3_open((hive.directory.path() / "hive.db").c_str(), &file) == SQLITE_OK);
    char* error = nullptr;
    ::sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &error);
    const std::string reason = error == nullptr ? "" : error;
    ::sqlite3_free(error);
    ::sqlite3_close(file);
    REQUIRE_MESSAGE(reason.empty(), reason);
}

} // namespace

TEST_CASE("the log is searched by actor, action, entity and time, page by page") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    make_keys(hive, admin, 25);
    const auto count = [&](std::string_view query) {
        return parsed(hive.get(fmt::format("/api/v1/audit?{}", query), admin).body)
            .at("items")
            .as_array()
            .size();
    };
    CHECK(count("action=key.created") == 25);
    CHECK(count("actor=admin:admin&limit=10") == 10);
    CHECK(count("actor=nobody") == 0);
    CHECK(count("entityType=key&entityId=none") == 0);
    CHECK(count("until=2020-01-01T00:00:00Z") == 0);
    CHECK(count("since=2020-01-01T00:00:00Z&limit=1000") == 25);
    CHECK(hive.get("/api/v1/audit?since=yesterday", admin).status == 400);
    std::vector<std::int64_t> seen;
    std::string path = "/api/v1/audit?action=key.created&limit=10";
    while (!path.empty()) {
        const auto page = parsed(hive.get(path, admin).body);
        for (const auto& entry : page.at("items").as_array()) {
            seen.push_back(entry.at("sequence").to_number<std::int64_t>());
        }
        const auto* next = page.as_object().if_contains("next");
        path = next ? fmt::format(
                          "/api/v1/audit?action=key.created&limit=10&cursor={}",
                          next->as_string().c_str())
                    : "";
    }
    CHECK(seen.size() == 25);
    CHECK(std::ranges::is_sorted(seen, std::greater<>{}));
    CHECK(hive.get("/api/v1/audit/entries/1", admin).status == 200);
    CHECK(hive.get("/api/v1/audit/entries/9999", admin).status == 404);
}

TEST_CASE("proofs from the API hold against the signed root, for every entry") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    make_keys(hive, admin, 11);
    const auto checkpoint = parsed(hive.send("POST", "/api/v1/audit/checkpoints", admin).body);
    const auto size = checkpoint.at("size").to_number<std::uint64_t>();
    const Digest root = digest_of(checkpoint.at("root"));
    for (std::uint64_t sequence = 1; sequence <= size; ++sequence) {
        const auto proof = parsed(
            hive.get(
                    fmt::format(
                        "/api/v1/audit/proofs/inclusion?sequence={}&size={}", sequence, size),
                    admin)
                .body);
        CHECK(audit::verify_inclusion(
            {sequence - 1, size, path_of(proof)}, digest_of(proof.at("leaf")), root));
    }
    for (std::uint64_t from = 1; from < size; ++from) {
        const auto proof = parsed(
            hive.get(
                    fmt::format("/api/v1/audit/proofs/consistency?from={}&size={}", from, size),
                    admin)
                .body);
        CHECK(audit::verify_consistency(
            {from, size, path_of(proof)}, digest_of(proof.at("oldRoot")), root));
    }
    CHECK(hive.get("/api/v1/audit/proofs/inclusion?sequence=99999", admin).status >= 400);
}

TEST_CASE("an export is verified with nothing but the public key, and every edit is found") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    make_keys(hive, admin, 9);
    Client client = hive.connect();
    client.send("GET /api/v1/audit/export HTTP/1.1\r\nHost: h\r\n" + admin + "\r\n");
    std::string stream;
    for (std::string piece = client.receive_some(); !piece.empty(); piece = client.receive_some()) {
        stream += piece;
    }
    const std::string text = stream.substr(stream.find("\r\n\r\n") + 4);
    std::string key = hive.get("/api/v1/audit/key", "").body;
    key.pop_back();
    const auto report = verify_export(text, key);
    CHECK(report.good());
    CHECK(report.entries == hive.audit_size());
    std::string edited = text;
    edited.replace(edited.find("bee-4"), 5, "bee-5");
    REQUIRE(verify_export(edited, key).fault);
    CHECK(verify_export(edited, key).fault->sequence == 5);
    CHECK_FALSE(verify_export(text.substr(0, text.size() - 10), key).good());
}

TEST_CASE("erasing details removes them and leaves every proof valid") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    make_keys(hive, admin, 3);
    CHECK(hive.send("DELETE", "/api/v1/audit/entries/2/details", admin).status == 204);
    const auto entry = hive.get("/api/v1/audit/entries/2", admin);
    CHECK(entry.body.find("bee-1") == std::string::npos);
    const auto report = parsed(hive.get("/api/v1/audit/verify", admin).body);
    CHECK(report.at("good") == true);
    CHECK(report.at("erased") == 1);
    CHECK(hive.send("DELETE", "/api/v1/audit/entries/999/details", admin).status == 404);
}

TEST_CASE("an edit in the database itself is found and named") {
    HiveUnderTest hive;
    const std::string admin = hive.key_for(accounts::Role::admin);
    make_keys(hive, admin, 6);
    REQUIRE(hive.send("POST", "/api/v1/audit/checkpoints", admin).status == 201);
    CHECK(parsed(hive.get("/api/v1/audit/verify", admin).body).at("good") == true);
    tamper(
        hive, "CREATE TEMP TABLE t (sql TEXT);"
              "PRAGMA writable_schema = 1;"
              "DELETE FROM sqlite_master WHERE type = 'trigger';"
              "PRAGMA writable_schema = RESET;"
              "UPDATE audit_log SET actor = 'admin:mallory' WHERE sequence = 4;");
    const auto report = parsed(hive.get("/api/v1/audit/verify", admin).body);
    CHECK(report.at("good") == false);
    CHECK(report.at("fault").at("sequence") == 4);
}

TEST_CASE("changes from many clients at the same time are one valid chain") {
    HiveUnderTest hive;
    const std::string bee = hive.key_for(accounts::Role::bee);
    std::vector<std::future<void>> clients;
    for (int i = 0; i < 8; ++i) {
        clients.push_back(std::async(std::launch::async, [&] {
            Client client = hive.connect();
            for (int n = 0; n < 50; ++n) {
                client.send(
                    "POST /api/v1/count HTTP/1.1\r\nHost: h\r\n" + bee +
                    "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
                if (client.receive()->status != 201) throw std::runtime_error{"not counted"};
            }
        }));
    }
    for (auto& client : clients) client.get();
    CHECK(hive.audit_size() == 400);
    CHECK(hive.verify().good());
    const auto last = hive.send("POST", "/api/v1/count", bee, "{}");
    CHECK(parsed(last.body).at("count") == 401);
}
