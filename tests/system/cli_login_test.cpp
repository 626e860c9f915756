#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/system/cli_hive.hpp"
#include "tests/system/web_server.hpp"
#include "web/client.hpp"
#include "web/curl/curl_client.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr auto private_file = fs::perms::owner_read | fs::perms::owner_write;

std::string contents_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
}

// `hive login` on its way, waiting for somebody to approve it.
class LoginUnderWay {
public:
    LoginUnderWay(const Person& person, std::vector<std::string> args)
        : output_{person.home.path("login.out")} {
        fs::remove(output_);
        args.insert(args.begin(), {hive::tests::hive_program(), "login"});
        const auto& variables = person.environment;
        pid_ = spawn(
            {.argv = std::move(args),
             .environment = {variables.begin(), variables.end()},
             .output = output_});
    }
    ~LoginUnderWay() {
        if (pid_ > 0) ::kill(pid_, SIGKILL);
    }
    LoginUnderWay(const LoginUnderWay&) = delete;
    LoginUnderWay& operator=(const LoginUnderWay&) = delete;

    std::string user_code() const {
        for (int tries = 0; tries < 2000; ++tries) {
            const std::string text = contents_of(output_);
            const auto at = text.find("the code  ");
            const auto end = text.find('\n', at);
            if (at != text.npos && end != text.npos) return text.substr(at + 10, end - at - 10);
            std::this_thread::sleep_for(10ms);
        }
        FAIL("no code was shown");
        return {};
    }
    void interrupt() const { ::kill(pid_, SIGINT); }
    Outcome end() {
        int status = 0;
        REQUIRE(::waitpid(pid_, &status, 0) == pid_);
        pid_ = -1;
        return {
            .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            .out = contents_of(output_),
            .err = {}};
    }

private:
    std::string output_;
    pid_t pid_ = -1;
};

// As the page in the browser does.
void answer_login(const RunningHive& hive, const std::string& code, bool approve) {
    auto client = web::curl::CurlClient::open({});
    REQUIRE(client);
    const auto answer = web::send_and_wait(
        **client,
        {.method = "POST",
         .url = hive.url + "/api/v1/login/device/answer",
         .headers = {{"Authorization", "Bearer " + hive.key}, {"Content-Type", "application/json"}},
         .body = to_text(json::object{{"userCode", code}, {"approve", approve}})});
    REQUIRE(answer);
    CHECK_MESSAGE(answer->status == 204, answer->body);
}

Outcome with_key(const Person& person, const std::string& key, const std::string& args) {
    return person.shell(
        fmt::format("printf '%s\\n' '{}' | \"$HIVE\" login --with-key {}", key, args));
}

} // namespace

TEST_CASE("a login approved in a browser leaves a profile that all commands use") {
    const RunningHive hive;
    const Person person;
    LoginUnderWay login{person, {"--server", hive.url + "/"}};
    answer_login(hive, login.user_code(), true);
    const auto ended = login.end();
    CHECK_MESSAGE(ended.exit_code == 0, ended.out);
    CHECK(contains(ended.out, hive.url + "/device?code="));
    CHECK(contains(ended.out, "as queen (admin); profile 'default' is the current one"));

    CHECK(fs::status(person.profiles()).permissions() == private_file);
    const auto kept = object_in(contents_of(person.profiles()));
    const auto& profile = kept.at("profiles").as_object().at("default").as_object();
    const std::string key = text_of(profile, "key");
    CHECK(key.starts_with("hvh_"));
    CHECK(text_of(profile, "server") == hive.url);
    CHECK_FALSE(contains(ended.out, key));

    CHECK(text_of(person.ask({"whoami"}), "id") == "queen");
    CHECK(contains(person.run({"whoami"}).out, "server  " + hive.url));
    CHECK(person.run({"key", "list"}).exit_code == 0);
    for (const char* command : {"list", "show"}) {
        const auto shown = person.run({"profile", command, "--json"});
        CHECK(shown.exit_code == 0);
        CHECK_FALSE(contains(shown.out, key));
    }
}

TEST_CASE("a login refused in the browser, or given up with Ctrl-C, leaves nothing") {
    const RunningHive hive;
    const Person person;
    LoginUnderWay refused{person, {"--server", hive.url}};
    answer_login(hive, refused.user_code(), false);
    const auto ended = refused.end();
    CHECK(ended.exit_code == 3);
    CHECK(contains(ended.out, "refused in the browser"));

    LoginUnderWay waiting{person, {"--server", hive.url}};
    waiting.user_code();
    waiting.interrupt();
    const auto interrupted = waiting.end();
    CHECK(interrupted.exit_code == 130);
    CHECK(contains(interrupted.out, "nothing was changed"));
    CHECK_FALSE(fs::exists(person.profiles()));
}

TEST_CASE("a server that wants to be asked less often is, and an expired code ends the login") {
    std::atomic<int> polls = 0;
    test::WebServer server{[&](const http::Request& request) {
        if (!request.path.ends_with("/token")) {
            return test::text_answer(
                R"({"deviceCode":"d","userCode":"BCDF-GHJK","verificationUri":"http://x/device",)"
                R"("verificationUriComplete":"http://x/device?code=BCDF-GHJK",)"
                R"("expiresIn":600,"interval":1})",
                201);
        }
        if (++polls > 1) {
            return test::text_answer(R"({"code":"expired-token","detail":"too old"})", 400);
        }
        auto slow = test::text_answer(R"({"code":"slow-down","detail":"slowly"})", 400);
        slow.headers.add("Retry-After", "3");
        return slow;
    }};
    const Person person;
    const auto began = std::chrono::steady_clock::now();
    const auto ended = person.run({"login", "--server", server.url()});
    CHECK(std::chrono::steady_clock::now() - began >= 4s); // one, then three
    CHECK(ended.exit_code == 3);
    CHECK(contains(ended.err, "nobody approved the login in time"));
    CHECK(polls == 2);
}

TEST_CASE("a key that one has is proven before it is kept, and read from standard input only") {
    const RunningHive hive;
    const Person person;
    const auto nonsense = with_key(person, "hello", "--server " + hive.url);
    CHECK(nonsense.exit_code == 2);
    CHECK(contains(nonsense.err, "no usable key"));
    const RunningHive other;
    const auto foreign = with_key(person, other.key, "--server " + hive.url);
    CHECK(foreign.exit_code == 3);
    CHECK(contains(foreign.err, "does not accept your key"));
    CHECK_FALSE(fs::exists(person.profiles()));
    const auto good = with_key(person, hive.key, "--json --server " + hive.url);
    CHECK_MESSAGE(good.exit_code == 0, good.err);
    CHECK(text_of(object_in(good.out), "profile") == "default");
    for (const Outcome& run : {nonsense, foreign, good}) {
        CHECK_FALSE(contains(run.out + run.err, hive.key));
        CHECK_FALSE(contains(run.out + run.err, other.key));
    }
}

TEST_CASE("several servers have a profile each, and no key goes to another server") {
    const RunningHive first;
    const RunningHive second;
    const Person person;
    REQUIRE(with_key(person, first.key, "--server " + first.url).exit_code == 0);
    const auto stray = person.run({"whoami", "--server", second.url});
    CHECK(stray.exit_code == 2);
    CHECK(contains(stray.err, "there is no key for " + second.url));
    REQUIRE(with_key(person, second.key, "--profile two --server " + second.url).exit_code == 0);

    CHECK(text_of(person.ask({"whoami"}), "server") == second.url);
    CHECK(text_of(person.ask({"whoami", "--profile", "default"}), "server") == first.url);
    CHECK(text_of(person.ask({"whoami", "--server", first.url}), "server") == first.url);
    const auto both = person.run({"whoami", "--server", first.url, "--profile", "two"});
    CHECK(both.exit_code == 2);
    CHECK(contains(both.err, "profile 'two' is for " + second.url));

    CHECK(person.ask({"profile", "list"}).at("items").as_array().size() == 2);
    CHECK(contains(person.run({"profile", "list"}).out, "*  two"));
    CHECK(person.run({"profile", "use", "default"}).exit_code == 0);
    CHECK(text_of(person.ask({"profile", "show"}), "server") == first.url);
    CHECK(contains(person.run({"profile", "show", "two"}).out, second.url));
    CHECK(person.run({"profile", "remove", "default"}).exit_code == 0);
    CHECK(fs::status(person.profiles()).permissions() == private_file);
    for (const char* command : {"use", "remove", "show"}) {
        const auto gone = person.run({"profile", command, "default"});
        CHECK(gone.exit_code == 2);
        CHECK(contains(gone.err, "there is no profile 'default'"));
    }
    CHECK(person.run({"profile", "show"}).exit_code == 2); // none is current
    CHECK(person.run({"whoami", "--profile", "two"}).exit_code == 0);
}

TEST_CASE("a profile file that is broken or open to others is named and never replaced") {
    const RunningHive hive;
    const Person person;
    fs::create_directories(person.home.path("config/hive"));
    const auto write = [&](std::string_view text) {
        person.home.write("config/hive/profiles.json", text);
        fs::permissions(person.profiles(), private_file);
    };
    for (const std::string_view text :
         {"{", "[]", "{}", R"({"format":"hive.profiles/1"})",
          R"({"format":"hive.profiles/1","profiles":{"a":{"server":"http://x"}}})"}) {
        write(text);
        for (const Outcome& run :
             {with_key(person, hive.key, "--server " + hive.url), person.run({"whoami"}),
              person.run({"profile", "list"})}) {
            CHECK(run.exit_code == 3);
            CHECK_MESSAGE(contains(run.err, person.profiles() + " is broken: "), run.err);
        }
        CHECK(contents_of(person.profiles()) == text);
    }
    write(R"({"format":"hive.profiles/1","profiles":{}})");
    fs::permissions(person.profiles(), fs::perms::others_read, fs::perm_options::add);
    const auto open = person.run({"profile", "list"});
    CHECK(open.exit_code == 3);
    CHECK(contains(open.err, "chmod 600"));
}

TEST_CASE("without a login, a server or an honest address the next step is said") {
    Person person;
    const auto nobody = person.run({"whoami"});
    CHECK(nobody.exit_code == 2);
    CHECK(contains(nobody.err, "hive login --server URL"));
    const auto address = person.run({"whoami", "--server", "ftp://x"});
    CHECK(address.exit_code == 2);
    CHECK(contains(address.err, "expected a URL like https://hive.example"));

    person.environment["HIVE_KEY"] = "hvh_secret";
    const auto silent = person.run({"whoami", "--server", "http://127.0.0.1:1"});
    CHECK(silent.exit_code == 3);
    CHECK(contains(silent.err, "refused the connection; check the address"));
    for (const std::string host : {"192.0.2.1", "hive.example", "127.evil.example"}) {
        const auto plain = person.run({"whoami", "--server", "http://" + host});
        CHECK(plain.exit_code == 2);
        CHECK(contains(plain.err, "https, or say --insecure"));
        CHECK(person.run({"login", "--server", "http://" + host}).exit_code == 2);
    }
    CHECK_FALSE(contains(silent.err, "hvh_secret"));

    test::WebServer other{[](const http::Request&) { return test::text_answer("hello"); }};
    const auto stranger = person.run({"whoami", "--server", other.url()});
    CHECK(stranger.exit_code == 3);
    CHECK(contains(stranger.err, "did not answer as a hive does"));
}

TEST_CASE("a key comes from a file or another variable without being on the command line") {
    const RunningHive hive;
    Person person;
    person.environment["HIVE_SERVER"] = hive.url;
    person.environment["MINE"] = hive.key;
    CHECK(person.run({"whoami", "--key", "{env:MINE}"}).exit_code == 0);
    const auto file = person.home.write("key.txt", hive.key + "\n");
    CHECK(person.run({"whoami", "--key", "{file:" + file + "}"}).exit_code == 0);
    CHECK(person.run({"whoami", "--key", "{env:NONE}"}).exit_code == 2);
}
