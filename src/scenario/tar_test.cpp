#include "scenario/bundle.hpp"
#include "scenario/tar.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

using namespace hive;
using namespace hive::scenario;

namespace {

const Files small{{"scenario.yaml", "id: a\n"}, {"sut/local/sut.yaml", std::string(700, 'x')}};

// With the sum that its bytes have now.
void sum_up(std::string& archive) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 512; ++i) {
        sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(archive[i]);
    }
    archive.replace(148, 6, fmt::format("{:06o}", sum));
}

std::string with(char type, std::string_view name) {
    std::string archive = write_tar({{"x", "text"}}).value();
    archive[156] = type;
    archive.replace(0, name.size(), name);
    sum_up(archive);
    return archive;
}

} // namespace

TEST_CASE("files become an archive and come back") {
    const auto archive = write_tar(small);
    REQUIRE(archive);
    CHECK(archive->size() % 512 == 0);
    CHECK(read_tar(*archive) == small);
    CHECK(write_tar(small) == archive); // the same files, the same bytes
}

TEST_CASE("a long name is split as the format wants it") {
    const std::string name = std::string(60, 'a') + "/" + std::string(80, 'b');
    const Files files{{name, "text"}};
    CHECK(read_tar(write_tar(files).value()) == files);
    CHECK_FALSE(write_tar({{std::string(140, 'a'), ""}}));
}

TEST_CASE("a folder around everything is taken off, and only then") {
    CHECK(
        without_top_folder({{"hello/scenario.yaml", "a"}, {"hello/sut/x/sut.yaml", "b"}}) ==
        Files{{"scenario.yaml", "a"}, {"sut/x/sut.yaml", "b"}});
    const Files two{{"a/scenario.yaml", ""}, {"b/scenario.yaml", ""}};
    CHECK(without_top_folder(two) == two);
    CHECK(without_top_folder(small) == small);
}

TEST_CASE("what could lead out of the bundle refuses the whole archive") {
    for (const char* name : {"../x", "/etc/passwd", "a/../../b", "..", "a\\b", "a//b", "c:d"}) {
        CAPTURE(name);
        CHECK_FALSE(read_tar(with('0', name)));
    }
    for (const char type : {'1', '2', '3', '4', '6', 'K', 'L', 'S'}) {
        CAPTURE(type);
        CHECK_FALSE(read_tar(with(type, "x")));
    }
}

TEST_CASE("folders and hidden files are left out") {
    CHECK(read_tar(with('5', "folder/")) == Files{});
    CHECK(read_tar(with('0', ".git/config")) == Files{});
    CHECK(read_tar(with('0', "./scenario.yaml")).value().contains("scenario.yaml"));
}

TEST_CASE("a damaged, cut or endless archive is refused") {
    const std::string archive = write_tar(small).value();
    CHECK_FALSE(read_tar(""));
    CHECK_FALSE(read_tar("PK\x03\x04 a zip"));
    CHECK_FALSE(read_tar(archive.substr(0, 600)));
    CHECK_FALSE(read_tar(archive.substr(0, 515)));
    std::string damaged = archive;
    damaged[3] = 'X';
    CHECK_FALSE(read_tar(damaged));
    std::string huge = archive;
    huge.replace(124, 11, "77777777777");
    sum_up(huge);
    CHECK(read_tar(huge).error().code == Errc::limit);
    std::string twice = archive.substr(0, 1024) + archive;
    CHECK_FALSE(read_tar(twice));
}

TEST_CASE("a name says whether it can be one of a bundle") {
    CHECK(check_file_name("templates/http/default/login.yaml"));
    CHECK(check_file_name("a..b"));
    for (const char* bad : {"", "/a", "a/", "a//b", ".a", "a/.b", "..", "a/..", "a\\b", "a\nb"}) {
        CAPTURE(bad);
        CHECK_FALSE(check_file_name(bad));
    }
    CHECK_FALSE(check_file_name("a/b/c/d/e/f/g/h/i/j/k/l/m"));
    CHECK_FALSE(check_file_name(std::string(file_name_max + 1, 'a')));
    CHECK_FALSE(check_files({{"a", ""}, {"a/b", ""}}));
}
