#include "scenario/shelf.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::scenario;
namespace fs = std::filesystem;

namespace {

class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "shelf-XXXXXX").string();
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
    std::string text(const std::string& path) const {
        std::ifstream file{root / path};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    // What anybody would see who lists everything.
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator{root}, {}));
    }

    fs::path root;
};

const std::string good = "id: hello\nbees:\n  - role: echo\n";

struct Scene {
    Folder folder{};
    std::unique_ptr<Shelf> shelf = Shelf::open(folder.root.string(), {{"echo", {}}}).value();
    std::string put(const std::string& id, Files files) const {
        return shelf->put(id, Edit::all(std::move(files)), "").value();
    }
};

} // namespace

TEST_CASE("a scenario is put on the shelf, read, changed and taken off as plain files") {
    const Scene scene;
    const auto first = scene.put("hello", {{"scenario.yaml", good}, {"sut/a/sut.yaml", "x"}});
    CHECK(scene.folder.text("hello/scenario.yaml") == good);
    CHECK(scene.shelf->ids() == std::vector<std::string>{"hello"});
    CHECK(scene.shelf->file("hello", "scenario.yaml") == good);
    const auto second = scene.shelf->put("hello", Edit::all({{"scenario.yaml", good}}), first);
    REQUIRE(second);
    CHECK(*second != first);
    CHECK_FALSE(fs::exists(scene.folder.root / "hello/sut")); // empty folders go too
    CHECK(scene.shelf->find("hello").value()->revision == *second);
    CHECK(scene.shelf->remove("hello", *second));
    CHECK(scene.shelf->ids().empty());
    CHECK(scene.folder.entries() == 0); // nothing half done stays behind
}

TEST_CASE("a revision is that of the contents, wherever they are") {
    const Scene here;
    const Scene there;
    const Files files{{"scenario.yaml", good}, {"datasets/users.csv", "a,b\n"}};
    CHECK(here.put("hello", files) == there.put("other", files));
    CHECK(
        here.put("x", {{"scenario.yaml", good}, {"b", "c"}}) !=
        here.put("y", {{"scenario.yaml", good}, {"bc", ""}}));
}

TEST_CASE("who has seen another revision changes nothing") {
    const Scene scene;
    const auto revision = scene.put("hello", {{"scenario.yaml", good}});
    const Edit edit{.files = {{"notes.md", "mine"}}};
    const auto stale = scene.shelf->put("hello", edit, "0123");
    REQUIRE_FALSE(stale);
    CHECK(stale.error().code == Errc::conflict);
    CHECK(scene.shelf->put("hello", edit, "").error().code == Errc::conflict); // there is one
    CHECK(scene.shelf->remove("hello", "0123").error().code == Errc::conflict);
    CHECK(scene.shelf->find("hello").value()->revision == revision);
    CHECK(scene.shelf->put("nothing", edit, revision).error().code == Errc::not_found);
}

TEST_CASE("an edit names some files and leaves the others, hidden ones too") {
    const Scene scene;
    auto revision = scene.put("hello", {{"scenario.yaml", good}, {"a.txt", "a"}, {"b.txt", "b"}});
    scene.folder.write("hello/.gitignore", "*.tmp");
    revision =
        scene.shelf->put("hello", {.files = {{"a.txt", std::nullopt}, {"c/d.txt", "d"}}}, revision)
            .value();
    CHECK(scene.folder.text("hello/c/d.txt") == "d");
    CHECK(scene.folder.text("hello/b.txt") == "b");
    CHECK_FALSE(fs::exists(scene.folder.root / "hello/a.txt"));
    REQUIRE(scene.shelf->put("hello", Edit::all({{"scenario.yaml", good}}), revision));
    CHECK(scene.folder.text("hello/.gitignore") == "*.tmp");
    CHECK_FALSE(scene.shelf->put("hello", {.files = {{"scenario.yaml", std::nullopt}}}, revision));
}

TEST_CASE("what is edited from outside is seen at the next question") {
    const Scene scene;
    const auto before = scene.put("hello", {{"scenario.yaml", good}});
    scene.folder.write("hello/scenario.yaml", "id: hallo\nbees:\n  - role: echo\n"); // as long
    const auto after = scene.shelf->find("hello").value();
    CHECK(after->revision != before);
    CHECK(after->loaded.scenario.id == "hallo");
    scene.folder.write("new-one/scenario.yaml", good);
    CHECK(scene.shelf->ids().size() == 2);
}

TEST_CASE("changes are told once, and those made through the shelf are not told again") {
    const Scene scene;
    auto revision = scene.put("hello", {{"scenario.yaml", good}});
    CHECK(scene.shelf->changes().empty());
    revision = scene.shelf->put("hello", {.files = {{"a", "b"}}}, revision).value();
    CHECK(scene.shelf->changes().empty());
    scene.folder.write("hello/a", "other");
    scene.folder.write("second/scenario.yaml", good);
    const auto seen = scene.shelf->changes();
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].id == "hello");
    CHECK(seen[0].before == revision);
    CHECK(seen[1].id == "second");
    CHECK(seen[1].before.empty());
    CHECK(scene.shelf->changes().empty());
    fs::remove_all(scene.folder.root / "second");
    const auto gone = scene.shelf->changes();
    REQUIRE(gone.size() == 1);
    CHECK(gone[0].after.empty());
}

TEST_CASE("findings name the files of the bundle and nothing of the machine") {
    const Scene scene;
    scene.put("broken", {{"scenario.yaml", "id: a\nbees:\n  - role: ekho\n"}});
    const auto stored = scene.shelf->find("broken").value();
    REQUIRE_FALSE(stored->findings.empty());
    CHECK(stored->findings[0].code == "unknown-role");
    CHECK(stored->findings[0].file == "scenario.yaml");
    const auto tried = scene.shelf->try_out({{"scenario.yaml", "bees: []\n"}}, {});
    REQUIRE(tried);
    CHECK(has_errors(tried->findings));
    CHECK(scene.folder.entries() == 1);
}

TEST_CASE("nothing outside of a bundle is read or written through links") {
    const Scene scene;
    const auto revision = scene.put("hello", {{"scenario.yaml", good}});
    const Folder elsewhere;
    elsewhere.write("secret.txt", "s");
    fs::create_symlink(elsewhere.root / "secret.txt", scene.folder.root / "hello/secret.txt");
    fs::create_directory_symlink(elsewhere.root, scene.folder.root / "hello/sub");
    const auto now = scene.shelf->find("hello").value()->revision;
    CHECK(scene.shelf->file("hello", "secret.txt").error().code == Errc::not_found);
    CHECK_FALSE(scene.shelf->put("hello", {.files = {{"sub/x.txt", "x"}}}, now));
    CHECK_FALSE(fs::exists(elsewhere.root / "x.txt"));
    CHECK_FALSE(scene.shelf->put("hello", {.files = {{"../x.txt", "x"}}}, now));
    CHECK_FALSE(scene.shelf->file("hello", "../hello/scenario.yaml"));
    CHECK_FALSE(scene.shelf->find("../hello"));
    CHECK_FALSE(scene.shelf->put("../x", Edit::all({{"scenario.yaml", good}}), ""));
    CHECK(revision.size() == 32);
}

TEST_CASE("a scenario without its main file is none") {
    const Scene scene;
    CHECK_FALSE(scene.shelf->put("a", Edit::all({{"notes.md", "x"}}), ""));
    scene.folder.write("b/notes.md", "x");
    CHECK(scene.shelf->ids().empty());
}
