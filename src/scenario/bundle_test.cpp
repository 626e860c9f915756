#include "scenario/bundle.hpp"
#include "scenario/load.hpp"
#include "scenario/validate.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::scenario;
namespace fs = std::filesystem;

namespace {

// A folder of its own, gone at the end.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "bundle-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(root); }

    void write(const std::string& path, std::string_view text) const {
        fs::create_directories((root / path).parent_path());
        std::ofstream{root / path} << text;
    }

    fs::path root;
};

constexpr std::string_view small = "id: a\nbees:\n  - role: echo\n";

} // namespace

TEST_CASE("a bundle is its folder, or its main file; any other file stands alone") {
    const Folder folder;
    folder.write("scenario.yaml", small);
    folder.write("sut/near/sut.yaml", "endpoints: { default: { baseUrl: http://x } }");
    folder.write("other.yaml", small);
    folder.write("datasets/rows.yaml", "not: read");
    folder.write(".git/config.yaml", "not: looked at");
    for (const auto& path : {folder.root, folder.root / "scenario.yaml"}) {
        const Loaded loaded = load(path.string());
        CHECK_MESSAGE(loaded.findings.empty(), render(loaded.findings));
        CHECK(loaded.scenario.suts.contains("near"));
        CHECK(loaded.bundle.sizes.contains("datasets/rows.yaml"));
        CHECK_FALSE(loaded.bundle.texts.contains("datasets/rows.yaml"));
        CHECK_FALSE(loaded.bundle.sizes.contains(".git/config.yaml"));
    }
    const Loaded alone = load((folder.root / "other.yaml").string());
    CHECK(alone.findings.empty());
    CHECK(alone.scenario.suts.empty());
}

TEST_CASE("a link that leads out of the bundle is a finding and is not read") {
    const Folder folder;
    const Folder elsewhere;
    elsewhere.write("secret.yaml", "word: sesame");
    folder.write("scenario.yaml", small);
    folder.write("templates/a.yaml", "x: 1");
    fs::create_symlink(elsewhere.root / "secret.yaml", folder.root / "templates/out.yaml");
    fs::create_symlink("a.yaml", folder.root / "templates/in.yaml");
    const Bundle bundle = read_bundle(folder.root.string());
    REQUIRE(bundle.findings.size() == 1);
    CHECK(bundle.findings[0].code == "outside-bundle");
    CHECK_FALSE(bundle.texts.contains("templates/out.yaml"));
    CHECK(bundle.texts.at("templates/in.yaml") == "x: 1");
}

TEST_CASE("what is not there or too large is said") {
    const Folder folder;
    CHECK(load("/nowhere/at/all").findings.at(0).code == "cannot-read");
    CHECK(load(folder.root.string()).findings.at(0).code == "no-scenario");
    folder.write("scenario.yaml", std::string(bundle_file_bytes_max + 1, '#'));
    CHECK(load(folder.root.string()).findings.at(0).code == "too-large");
}

TEST_CASE("a broken environment or template is pointed at in its own file") {
    const Folder folder;
    folder.write(
        "scenario.yaml", "id: a\nbees:\n  - role: builder\n    config: { templateRoot: "
                         "/app/scenario/templates }\n");
    folder.write("sut/near/sut.yaml", "id: far\nendpoints: { default: { baseUrl: http://x } }");
    folder.write(
        "templates/shop/buy.yaml", "method: POST\nbodyTemplate: |\n  a\n  {{ payload | }}\n");
    const Loaded loaded = load(folder.root.string());
    REQUIRE(loaded.findings.size() == 1);
    CHECK(loaded.findings[0].code == "sut-id");
    CHECK(loaded.findings[0].file == (folder.root / "sut/near/sut.yaml").string());
    Catalog catalog;
    catalog["builder"] = {};
    const auto findings = validate(loaded, catalog);
    REQUIRE_MESSAGE(findings.size() == 1, render(findings));
    CHECK(findings[0].code == "template-syntax");
    CHECK(findings[0].file == (folder.root / "templates/shop/buy.yaml").string());
    CHECK(findings[0].at.line == 4);
    const auto compiled = compile(loaded.scenario);
    REQUIRE(compiled);
    const auto& root = compiled->bees.at("bees").at(0).at("config").at("templateRoot");
    CHECK(std::string{root.as_string()} == fs::canonical(folder.root / "templates").string());
}

TEST_CASE("bombs and towers of YAML end at a bound") {
    std::string bomb = "id: a\nx0: &x0 [y,y,y,y,y,y,y,y,y]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*x" + std::to_string(i - 1);
        bomb += "x" + std::to_string(i) + ": &x" + std::to_string(i) + " [" + before;
        for (int j = 0; j < 8; ++j) bomb += "," + before;
        bomb += "]\n";
    }
    CHECK(load(single_file("bomb", bomb)).findings.at(0).code == "too-many-nodes");
    const std::string tower = "bees: " + std::string(100'000, '[');
    CHECK(load(single_file("tower", tower)).findings.at(0).code == "too-deep");
}
