// The main function of every test binary.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace {

const char* running = "none";

void say(const char* text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Only what a signal handler may call, or as good as: the program ends here.
void give_up(int) {
    say("this test case hangs: ");
    say(running);
    say("\n");
    std::array<void*, 64> frames{};
    ::backtrace_symbols_fd(
        frames.data(), ::backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
    std::abort();
}

// A test case that hangs says which it is and where, instead of being killed without a word.
// HIVE_CASE_SECONDS is how long one may take; ctest sets it, whoever runs many rounds by hand does
// not.
class Watch final : public doctest::IReporter {
public:
    explicit Watch(const doctest::ContextOptions&) {
        if (const char* text = std::getenv("HIVE_CASE_SECONDS")) {
            seconds_ = static_cast<unsigned>(std::atoi(text));
        }
    }

    void test_run_start() override {
        std::cout << std::unitbuf; // nothing of what was said is lost with a program that is killed
        ::signal(SIGALRM, &give_up);
    }
    void test_case_start(const doctest::TestCaseData& data) override {
        running = data.m_name;
        ::alarm(seconds_);
    }
    void test_case_reenter(const doctest::TestCaseData& data) override { test_case_start(data); }
    void test_case_end(const doctest::CurrentTestCaseStats&) override { ::alarm(0); }

    void report_query(const doctest::QueryData&) override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

private:
    unsigned seconds_ = 0;
};

REGISTER_LISTENER("watch", 1, Watch);

} // namespace

int main(int count, char** arguments) {
    return doctest::Context{count, arguments}.run();
}
