#include "tests/system/crash_scene.hpp"

#include "api/rest/key_routes.hpp"
#include "kernel/entropy.hpp"
#include "store/accounts_tables.hpp"
#include "store/migration.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace hive::test {

using namespace std::chrono_literals;

const HiveId main_hive = HiveId::parse("main").value();

std::unique_ptr<store::Database> Place::open() const {
    auto opened = url.empty() ? store::sqlite::open({.directory = directory})
                              : store::postgres::open({.url = url});
    REQUIRE_MESSAGE(opened, opened.error().detail);
    REQUIRE(store::migrate(**opened));
    return std::move(*opened);
}

std::string make_admin_key(const Place& place) {
    accounts::KeyEntropy entropy{};
    fill_from_entropy(entropy);
    auto minted = accounts::mint_key(
        {.id = rest::fresh_key_id(), .owner = "root", .role = accounts::Role::admin}, entropy,
        SystemClock{}.wall());
    const auto database = place.open();
    REQUIRE(store::write_and_wait(*database, {.work = [&](store::Session& session) {
        return store::KeyTable{session, main_hive}.insert(minted->record);
    }}));
    return std::string{minted->text.reveal()};
}

audit::TrustedKey trusted_key(const Place& place) {
    std::ifstream file{place.directory + "/audit.key"};
    const std::string pem{std::istreambuf_iterator<char>{file}, {}};
    const auto key = SigningKey::from_pem(pem);
    REQUIRE(key);
    return audit::TrustedKey::make("pockethive/main", key->verifying_key()).value();
}

ServerProcess::ServerProcess(const Place& place, const std::string& output, Until until)
    : output_{output} {
    std::vector<std::string> argv{
        hive::tests::hive_program(),
        "serve",
        "--port",
        "0",
        "--data",
        place.directory,
        "--json",
        "--auth-requests-per-minute",
        "default=0",
        "--log-level",
        "warn"};
    if (!place.url.empty()) argv.insert(argv.end(), {"--store", place.url});
    argv.insert(argv.end(), place.more.begin(), place.more.end());
    if (!place.deia.empty()) argv.insert(argv.end(), {"--deia", place.deia});
    std::filesystem::remove(output);
    pid_ = hive::tests::spawn({.argv = argv, .output = output});
    if (until == Until::ready) address_ = await_address();
}

ServerProcess::~ServerProcess() {
    kill(SIGKILL);
}

void ServerProcess::kill(int signal) {
    if (pid_ == 0) return;
    ::kill(pid_, signal);
    CHECK(hive::tests::wait_for_exit(pid_, 20s));
    pid_ = 0;
}

std::string ServerProcess::await_address() const {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    std::string line;
    while (std::chrono::steady_clock::now() < deadline) {
        std::ifstream file{output_};
        if (!std::getline(file, line)) line.clear();
        if (line.starts_with("error")) break;
        if (line.ends_with('}')) {
            const auto told = parse_json(line);
            REQUIRE_MESSAGE(told, line);
            const std::string url{told->at("url").as_string()};
            return url.substr(url.find("//") + 2);
        }
        std::this_thread::sleep_for(2ms);
    }
    FAIL("the server did not start: " << line);
    return {};
}

} // namespace hive::test
