#pragma once

#include "api/rest/hive_server.hpp"
#include "audit/verifier.hpp"
#include "kernel/json.hpp"
#include "kernel/log_capture.hpp"
#include "store/database.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/http_client.hpp"
#include "tests/system/http_ws_client.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace hive::test {

json::value parsed(const std::string& text); // fails the test when it is not JSON
std::string code_of(const Answer& answer);   // of a problem document

// A whole hive on a real socket over a real database, and the people in it.
class HiveUnderTest {
public:
    struct Setting {
        rest::Quotas quotas = {{"default", 0}};
        rest::GatePolicy gate{};
        api::HubLimits events{};
        std::string public_url{};
        std::vector<std::function<std::vector<api::Route>(const rest::SessionParts&)>> more{};
        std::vector<api::SnapshotSource> snapshots{};
        std::function<void(rest::HiveParts&)> offer{}; // adds what others bring
        // Puts something between the server and its database.
        std::function<std::unique_ptr<store::Database>(std::unique_ptr<store::Database>)> wrap{};
    };
    HiveUnderTest() : HiveUnderTest{Setting{}} {}
    explicit HiveUnderTest(Setting setting);
    ~HiveUnderTest();

    const std::string& address() const { return server->addresses().front(); }
    Client connect() const { return Client::tcp(address()); }

    std::string ticket(std::string_view key) const; // for /ws?token=
    // A key that is in the store when this returns; `Authorization: ...` line of it.
    std::string key_text(accounts::KeyRequest request) const;
    static std::string bearer(std::string_view key);
    std::string key_for(accounts::Role role) const;

    Answer get(std::string_view path, std::string_view headers) const;
    Answer send(
        std::string_view method, std::string_view path, std::string_view headers,
        std::string_view body = "") const;

    std::uint64_t audit_size() const;
    std::vector<audit::Entry> audit_entries() const;
    // The first entry with this action, once it is there: refusals are recorded beside the answer.
    audit::Entry await_audit(std::string_view action) const;
    audit::Report verify() const;

    void restart(); // the same data, a new server

    // On SQLite in that directory, unless server_on_postgres.cpp is linked in.
    using OpenStore = Result<std::unique_ptr<store::Database>> (*)(const std::string& directory);
    static OpenStore open_store;

    hive::tests::ScratchDirectory directory;
    HiveId hive = HiveId::parse("main").value();
    SystemClock clock;
    LogCapture log;
    LogLevels levels;
    rest::AuditKey audit_key{"pockethive/main", SigningKey::from_seed({7})};
    std::unique_ptr<store::Database> database;
    std::unique_ptr<rest::HiveServer> server;

private:
    void start();
    Setting setting_;
};

// A browser, as far as cookies go.
class Browser {
public:
    explicit Browser(const HiveUnderTest& hive) : hive_{&hive} {}

    Answer open(std::string_view path, std::string_view headers = "");
    Answer send(std::string_view method, std::string_view path, std::string_view body = "");
    std::string csrf(); // of GET /api/v1/me
    std::string cookie;

private:
    Answer keep(Answer answer);
    const HiveUnderTest* hive_;
};

} // namespace hive::test
