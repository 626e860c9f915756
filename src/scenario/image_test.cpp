#include "scenario/image.hpp"

#include <doctest/doctest.h>

using hive::scenario::kind_of_image;

TEST_CASE("the kind of a bee is the name of its image without registry, prefix, tag and digest") {
    CHECK(kind_of_image("generator:latest") == "generator");
    CHECK(kind_of_image("generator") == "generator");
    CHECK(kind_of_image("ghcr.io/hives/pockethive-request-builder:1.2") == "request-builder");
    CHECK(kind_of_image("localhost:5000/moderator@sha256:0123") == "moderator");
    CHECK(kind_of_image("localhost:5000/moderator:2@sha256:0123") == "moderator");
    CHECK(kind_of_image("").empty());
}
