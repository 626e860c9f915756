#include "kernel/variable_name.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;

TEST_CASE("a variable has a plain name and takes nothing over") {
    for (const char* good : {"A", "REGION", "my_Key2", "_X", "LDAP_URL", "PATHS"}) {
        CAPTURE(good);
        CHECK(check_variable_name(good));
    }
    for (const char* bad :
         {"", "1A", "A-B", "A=B", "A B", "PATH", "LD_PRELOAD", "HIVE_KEY", "POCKETHIVE_X",
          "NODE_OPTIONS", "BASH_ENV"}) {
        CAPTURE(bad);
        CHECK_FALSE(check_variable_name(bad));
    }
    CHECK_FALSE(check_variable_name(std::string(129, 'A')));
}
