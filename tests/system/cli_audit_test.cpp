#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace hive;
using namespace hive::tests;
namespace fs = std::filesystem;

namespace {

std::string contents_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream{path, std::ios::binary}.rdbuf();
    return text.str();
}

// The same bytes with the first `from` after `start` replaced.
std::string edited(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

// All of them: a database holds the same text in its tables and in its indexes.
std::string everywhere(std::string text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at)) {
        text.replace(at, from.size(), to);
    }
    return text;
}

// A running hive in which some things happened, an export of its log, and its public key.
struct Recorded : RunningHive {
    Recorded() {
        for (const char* owner : {"ada", "bob", "cyd"}) {
            ask({"key", "create", "--role", "bee", "--owner", owner});
        }
        public_key = text_of(ask({"audit", "key"}), "publicKey");
        REQUIRE(run({"audit", "export", "--output", file}).exit_code == 0);
    }
    Outcome verify(const std::string& text, std::vector<std::string> more = {}) const {
        std::vector<std::string> args{
            "audit", "verify", home.write("given.jsonl", text), "--public-key", public_key};
        args.insert(args.end(), more.begin(), more.end());
        return run_hive(args); // nobody's environment: this works anywhere
    }

    std::string file = home.path("audit.jsonl");
    std::string public_key;
};

} // namespace

TEST_CASE("the log is searched by who, what, which and when, on the server and in the files") {
    const Recorded hive;
    for (const bool local : {false, true}) {
        const auto search = [&](std::vector<std::string> args) {
            args.insert(args.begin(), {"audit", "search"});
            return local ? hive.run_local(args) : hive.run(args);
        };
        const auto found = [&](std::vector<std::string> args) {
            args.insert(args.end(), {"--json"});
            return object_in(search(args).out).at("items").as_array();
        };
        CHECK(found({"--action", "key.created", "--all"}).size() == 4);
        CHECK(found({"--action", "key.created", "--actor", "admin:queen"}).size() == 3);
        CHECK(found({"--entity-type", "key", "--entity-id", "key-none"}).empty());
        CHECK(found({"--since", "1h", "--action", "key.created"}).size() == 4);
        CHECK(found({"--until", "2020-01-01T00:00:00Z"}).empty());
        CHECK(found({"--limit", "2"}).size() == 2);
        const auto page = search({"--limit", "2"});
        CHECK(std::ranges::count(page.out, '\n') == 2);
        CHECK(contains(page.err, "--all"));
        CHECK(contains(search({"--actor", "nobody"}).err, "no such entry"));
        const auto when = search({"--since", "yesterday"});
        CHECK(when.exit_code == 2);
        CHECK(contains(when.err, "expected a time like"));
    }
}

TEST_CASE("one entry is shown with its details; erasing removes them and nothing else") {
    const Recorded hive;
    CHECK(contains(hive.run({"audit", "show", "1"}).out, "action    key.created\n"));
    CHECK(hive.ask({"audit", "show", "2"}).contains("details"));
    CHECK(hive.run({"audit", "show", "0"}).exit_code == 2);
    const auto none = hive.run({"audit", "show", "4000"});
    CHECK(none.exit_code == 3);
    CHECK(contains(none.err, "there is no entry 4000"));
    CHECK(contains(hive.run_local({"audit", "show", "4000"}).err, "there is no entry 4000"));

    CHECK(hive.ask({"audit", "erase", "2"}).at("erased").as_bool());
    CHECK(hive.run_local({"audit", "erase", "3"}).exit_code == 0);
    CHECK(hive.run_local({"audit", "erase", "4000"}).exit_code == 3);
    for (const char* sequence : {"2", "3"}) {
        CHECK_FALSE(hive.ask({"audit", "show", sequence}).contains("details"));
    }
    CHECK(contains(hive.run({"audit", "show", "2"}).out, "erased"));
    CHECK(hive.ask({"audit", "verify"}).at("erased").as_int64() == 2);
    CHECK(
        hive.ask({"audit", "search", "--action", "audit.details-erased"})
            .at("items")
            .as_array()
            .size() == 2);
}

TEST_CASE("a log is verified by its server, in its files, and as an export anywhere") {
    const Recorded hive;
    const auto online = hive.run({"audit", "verify"});
    CHECK(online.exit_code == 0);
    CHECK(online.out.starts_with("The log is sound."));
    CHECK(online.err.empty());
    const auto local = object_in(hive.run_local({"audit", "verify", "--json"}).out);
    CHECK(local.at("good").as_bool());
    const std::string text = contents_of(hive.file);
    const auto offline = hive.verify(text, {"--json"});
    CHECK(offline.exit_code == 0);
    CHECK(object_in(offline.out).at("entries").as_int64() >= 4);

    const auto piped = hive.shell(
        "\"$HIVE\" audit export --data " + hive.data() +
        " | \"$HIVE\" audit verify - --public-key-file <(\"$HIVE\" audit key)");
    CHECK_MESSAGE(piped.exit_code == 0, piped.err);
    CHECK(contains(piped.out, "sound"));
    const auto full = hive.shell("\"$HIVE\" audit export > /dev/full");
    CHECK(full.exit_code == 3);
    CHECK(full.err == "error: cannot write the output: No space left on device\n");
}

TEST_CASE("an export appears whole under a new name, or not at all") {
    const Recorded hive;
    const std::string before = contents_of(hive.file);
    const auto again = hive.run({"audit", "export", "--output", hive.file});
    CHECK(again.exit_code == 3);
    CHECK(contains(again.err, "exists"));
    CHECK(contents_of(hive.file) == before);
    CHECK(fs::status(hive.file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    const std::string other = hive.home.path("other.jsonl");
    const auto told = hive.ask({"audit", "export", "--output", other});
    CHECK(text_of(told, "file") == other);
    CHECK(told.at("good").as_bool());
    CHECK(hive.run({"audit", "export", "--json"}).exit_code == 2);
    const auto nowhere = hive.run({"audit", "export", "--output", "/nowhere/audit.jsonl"});
    CHECK(nowhere.exit_code == 3);
    CHECK(contains(nowhere.err, "/nowhere/audit.jsonl"));
    for (const auto& entry : fs::directory_iterator{hive.home.path()}) { // no temporary ones
        CHECK_FALSE(contains(entry.path().string(), ".jsonl."));
    }
}

TEST_CASE("whatever is done to an export, the first bad entry and the reason are named") {
    const Recorded hive;
    const std::string good = contents_of(hive.file);
    const auto altered = hive.verify(edited(good, "key.created", "key.crEated"));
    CHECK(altered.exit_code == 1);
    CHECK_MESSAGE(contains(altered.out, "entry 1 (altered)"), altered.out);
    const auto details = hive.verify(edited(good, "\"owner\":\"ada\"", "\"owner\":\"eve\""));
    CHECK(details.exit_code == 1);
    CHECK_MESSAGE(contains(details.out, "(details)"), details.out);
    const auto cut = hive.verify(good.substr(0, good.find_last_of('\n', good.size() - 2) + 1));
    CHECK(cut.exit_code == 1);
    CHECK_MESSAGE(contains(cut.out, "(truncated)"), cut.out);
    const auto scripted = hive.verify(edited(good, "key.created", "key.crEated"), {"--json"});
    CHECK(scripted.exit_code == 1);
    const auto fault = object_in(scripted.out).at("fault").as_object();
    CHECK(text_of(fault, "kind") == "altered");
    CHECK(fault.at("sequence").as_int64() == 1);
    CHECK(hive.verify("not an export\n").exit_code == 1);
}

TEST_CASE("a kept checkpoint shows that a log was cut short; another key verifies nothing") {
    const Recorded hive;
    const std::string old = contents_of(hive.file);
    hive.ask({"key", "create", "--role", "bee", "--owner", "dee"});
    const auto note = hive.run({"audit", "checkpoint"});
    CHECK(note.exit_code == 0);
    CHECK(note.out.starts_with("pockethive/main\n"));
    const std::string pin = hive.home.write("pin.note", note.out);
    CHECK(hive.verify(old).exit_code == 0);
    const auto pinned = hive.verify(old, {"--pin", pin});
    CHECK(pinned.exit_code == 1);
    CHECK_MESSAGE(contains(pinned.out, "(truncated)"), pinned.out);
    CHECK(hive.run_local({"audit", "verify", "--pin", pin}).exit_code == 0);
    CHECK(hive.ask({"audit", "checkpoint"}).at("size").as_int64() >= 5);

    const Recorded other;
    const auto foreign = run_hive({"audit", "verify", hive.file, "--public-key", other.public_key});
    CHECK(foreign.exit_code == 1);
    CHECK_MESSAGE(contains(foreign.out, "(signature)"), foreign.out);
}

TEST_CASE("an edited database is found out by its server and in its files") {
    Recorded hive;
    hive.stop();
    const std::string database = hive.data() + "/hive.db";
    const std::string bytes = contents_of(database);
    std::ofstream{database, std::ios::binary} << everywhere(bytes, "local:", "loxal:");
    const auto local = hive.run_local({"audit", "verify"});
    CHECK_MESSAGE(local.exit_code == 1, local.err);
    CHECK_MESSAGE(contains(local.out, "entry 1 (altered)"), local.out);
    const std::string file = hive.home.path("evidence.jsonl");
    const auto exported = hive.run_local({"audit", "export", "--output", file});
    CHECK(exported.exit_code == 1);
    CHECK(fs::exists(file)); // as evidence
}

TEST_CASE("what is missing for a verification is said") {
    const Recorded hive;
    const auto keyless = run_hive({"audit", "verify", hive.file});
    CHECK(keyless.exit_code == 2);
    CHECK(contains(keyless.err, "--public-key"));
    const auto bad_key = run_hive({"audit", "verify", hive.file, "--public-key", "nonsense"});
    CHECK(bad_key.exit_code == 2);
    CHECK(contains(bad_key.err, "hive audit key"));
    const auto no_file = run_hive({"audit", "verify", "/none", "--public-key", hive.public_key});
    CHECK(no_file.exit_code == 2);
    const auto pinned = hive.run({"audit", "verify", "--pin", hive.file});
    CHECK(pinned.exit_code == 2);
    // Checkpoints exist, so a new key would only look like tampering.
    fs::rename(hive.data() + "/audit.key", hive.home.path("moved.key"));
    const auto lost = hive.run_local({"audit", "verify"});
    CHECK(lost.exit_code == 3);
    CHECK(contains(lost.err, "--audit-key-file"));
    CHECK(
        hive.run_local({"audit", "verify", "--audit-key-file", hive.home.path("moved.key")})
            .exit_code == 0);
}
