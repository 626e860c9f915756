#pragma once

#include "api/rest/oidc_config.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/oidc_scene.hpp"

#include <cstdio>
#include <memory>
#include <string>

namespace hive::test {

// The program of `oidc_provider.mjs`; ends with this, or with the test program.
class ProviderProcess {
public:
    ProviderProcess();
    const std::string& issuer() const { return issuer_; }

private:
    tests::ScratchDirectory directory_;
    std::unique_ptr<FILE, int (*)(FILE*)> process_{nullptr, ::pclose};
    std::string issuer_;
};

// The oidc-provider of npm, as if fresh. It takes a second to start, so one serves many tests.
class ProviderUnderTest {
public:
    ProviderUnderTest();

    const std::string& issuer() const { return issuer_; }
    rest::OidcConfig config() const; // ops are admins, Bob may read, nobody else comes in
    std::string control(const std::string& query) const; // the script says what there is
    static void stop() { process().reset(); }

private:
    static std::unique_ptr<ProviderProcess>& process();
    std::string issuer_;
};

enum class Consent : bool { refused, given };

// Plays a person at the provider, from /auth/login on; gives the address the provider then sends
// the browser to.
std::string
go_to_callback(Browser& browser, const std::string& person, Consent consent = Consent::given);

} // namespace hive::test
