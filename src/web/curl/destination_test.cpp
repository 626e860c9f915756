#include "web/curl/destination.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::web::curl;

TEST_CASE("a destination is a host and a port, and shows nothing else of the URL") {
    CHECK(parse_destination("https://id.example/token?key=1")->text() == "id.example:443");
    CHECK(parse_destination("http://ann:word@id.example:81/")->text() == "id.example:81");
    CHECK(parse_destination("http://[::1]:8080/x")->text() == "[::1]:8080");
}

TEST_CASE("what is not plain http or https is refused") {
    for (const char* url :
         {"", "nothing here", "file:///etc/passwd", "ftp://example/x", "gopher://example:25/x",
          "http://", "http://ex ample/", "http://example/\r\nHost: other", "https://ex\x7f.mple"}) {
        const auto parsed = parse_destination(url);
        CHECK_MESSAGE(!parsed, url);
        if (!parsed) CHECK(parsed.error().code == Errc::invalid);
    }
}
