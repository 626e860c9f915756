#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using namespace hive;
using namespace hive::tests;

namespace {

// What is in the audit log about a thing, oldest first: `key.created by local:root`.
std::vector<std::string> history_of(const RunningHive& hive, const std::string& id) {
    std::vector<std::string> out;
    const auto found = hive.ask({"audit", "search", "--entity-id", id, "--all"});
    for (const auto& item : found.at("items").as_array()) {
        const auto& entry = item.as_object();
        out.insert(out.begin(), text_of(entry, "action") + " by " + text_of(entry, "actor"));
    }
    return out;
}

} // namespace

TEST_CASE("a key made offline opens the server; the key alone is on standard output") {
    const RunningHive hive;
    CHECK(hive.key.starts_with("hvh_"));
    CHECK_FALSE(contains(hive.key, "\n"));
    CHECK(hive.run({"key", "list"}).exit_code == 0);

    // And beside the running server, caught by a shell.
    const auto caught = hive.shell(
        "KEY=$(\"$HIVE\" key create --role readonly --owner eve --data " + hive.data() +
        " 2>/dev/null) && HIVE_KEY=$KEY \"$HIVE\" whoami --json");
    CHECK_MESSAGE(caught.exit_code == 0, caught.err);
    CHECK(text_of(object_in(caught.out), "id") == "eve");
}

TEST_CASE("a key is made, listed, shown, rotated and revoked over the server") {
    const RunningHive hive;
    const auto minted = hive.ask(
        {"key", "create", "--owner", "BOT-003", "--role", "bee", "--scope", "tasks:write",
         "--scope", "channels:read", "--valid-for", "90d"});
    const auto& record = minted.at("record").as_object();
    const std::string id = text_of(record, "id");
    CHECK(text_of(minted, "key").starts_with("hvb_"));
    CHECK(record.at("scopes").as_array().size() == 2);
    CHECK(record.contains("expires"));

    const auto listed = hive.run({"key", "list", "--owner", "BOT-003"});
    CHECK(listed.exit_code == 0);
    CHECK(contains(listed.out, id));
    CHECK(listed.out.starts_with("ID "));
    CHECK(hive.ask({"key", "list", "--owner", "nobody"}).at("items").as_array().empty());
    CHECK(contains(hive.run({"key", "list", "--owner", "nobody"}).err, "hive key create"));

    const auto shown = hive.run({"key", "show", id});
    CHECK(contains(shown.out, "owner     BOT-003\n"));
    CHECK(contains(shown.out, "tasks:write"));
    CHECK(text_of(hive.ask({"key", "show", id}), "state") == "active");

    const auto rotated = hive.ask({"key", "rotate", id});
    CHECK(text_of(rotated, "key") != text_of(minted, "key"));
    const std::string successor = text_of(rotated.at("record").as_object(), "id");
    CHECK(text_of(hive.ask({"key", "show", id}), "rotatedTo") == successor);
    const auto again = hive.run({"key", "rotate", id});
    CHECK(again.exit_code == 3);

    CHECK(text_of(hive.ask({"key", "revoke", successor}), "state") == "revoked");
    CHECK(contains(hive.run({"key", "revoke", id}).out, "state       revoked\n"));
    CHECK(
        history_of(hive, id) == std::vector<std::string>{
                                    "key.created by admin:queen", "key.rotated by admin:queen",
                                    "key.revoked by admin:queen"});
}

TEST_CASE("the same works on the files, in the name of the local user, and the server obeys") {
    RunningHive hive;
    const auto minted =
        object_in(hive.run_local({"key", "create", "--role", "human", "--json"}).out);
    const auto& record = minted.at("record").as_object();
    const std::string id = text_of(record, "id");
    CHECK_FALSE(text_of(record, "owner").empty());

    Person holder;
    holder.environment["HIVE_SERVER"] = hive.url;
    holder.environment["HIVE_KEY"] = text_of(minted, "key");
    CHECK(text_of(holder.ask({"whoami"}), "proofId") == id);

    const auto rotated = object_in(hive.run_local({"key", "rotate", id, "--json"}).out);
    const std::string successor = text_of(rotated.at("record").as_object(), "id");
    const auto shown = object_in(hive.run_local({"key", "show", id, "--json"}).out);
    CHECK(text_of(shown, "rotatedTo") == successor);
    CHECK(contains(hive.run_local({"key", "revoke", id}).out, "revoked"));
    CHECK(hive.run_local({"key", "revoke", successor}).exit_code == 0);
    CHECK(contains(hive.run_local({"key", "list"}).out, successor));

    hive.stop();
    CHECK(contains(hive.run_local({"key", "show", id}).out, "rotated to  " + successor));
    const auto created =
        hive.run_local({"audit", "search", "--entity-id", id, "--action", "key.created", "--json"});
    const auto entry = object_in(created.out).at("items").as_array().at(0).as_object();
    CHECK(text_of(entry, "actor").starts_with("local:"));
}

TEST_CASE("a revoked key is refused with the server's reason and what to do") {
    const RunningHive hive;
    const auto minted = hive.ask({"key", "create", "--role", "human", "--owner", "eve"});
    const std::string id = text_of(minted.at("record").as_object(), "id");
    CHECK(hive.run({"key", "revoke", id}).exit_code == 0);
    Person eve;
    eve.environment["HIVE_SERVER"] = hive.url;
    eve.environment["HIVE_KEY"] = text_of(minted, "key");
    const auto run = eve.run({"whoami"});
    CHECK(run.exit_code == 3);
    CHECK(contains(run.err, "does not accept your key"));
    CHECK(contains(run.err, "revoked"));
    CHECK(contains(run.err, "hive login --server " + hive.url));
    CHECK_FALSE(contains(run.out + run.err, text_of(minted, "key")));
}

TEST_CASE("what a key may not do is refused, and so is what makes no sense") {
    const RunningHive hive;
    const auto reader = hive.ask({"key", "create", "--role", "readonly", "--owner", "eve"});
    Person eve;
    eve.environment["HIVE_SERVER"] = hive.url;
    eve.environment["HIVE_KEY"] = text_of(reader, "key");
    CHECK(eve.run({"key", "create", "--role", "admin"}).exit_code == 3);

    CHECK(hive.run({"key", "create"}).exit_code == 2);
    const auto role = hive.run({"key", "create", "--role", "queen"});
    CHECK(role.exit_code == 2);
    CHECK(contains(role.err, "expected one of admin, human, bee, readonly"));
    for (const bool local : {false, true}) {
        const std::vector<std::string> args{"key", "create", "--role", "bee", "--scope", "x:y"};
        const auto scope = local ? hive.run_local(args) : hive.run(args);
        CHECK(scope.exit_code == 2);
        CHECK_MESSAGE(contains(scope.err, "x:y"), scope.err);
        const auto none = local ? hive.run_local({"key", "show", "key-none"})
                                : hive.run({"key", "show", "key-none"});
        CHECK(none.exit_code == 3);
        CHECK(contains(none.err, "there is no key key-none"));
    }
    const auto both = hive.run({"key", "list", "--data", hive.data(), "--server", hive.url});
    CHECK(both.exit_code == 2);
    CHECK(contains(both.err, "choose one"));
}

TEST_CASE("only making a key makes a directory, which nobody else may read") {
    const Person person;
    const std::string data = person.home.path("new/hive");
    const auto looked = person.run({"key", "list", "--data", data});
    CHECK(looked.exit_code == 3);
    CHECK(contains(looked.err, "there is no hive in " + data));
    CHECK_FALSE(std::filesystem::exists(data));
    const auto made = person.run({"key", "create", "--role", "admin", "--data", data, "--json"});
    CHECK(made.exit_code == 0);
    CHECK(made.err.empty());
    CHECK(object_in(made.out).contains("key"));
    CHECK(std::filesystem::status(data).permissions() == std::filesystem::perms::owner_all);
    CHECK(person.run({"key", "list", "--data", data}).exit_code == 0);
}
