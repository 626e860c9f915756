#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/random.hpp"
#include "kernel/result.hpp"
#include "template/limits.hpp"
#include "template/sequences.hpp"
#include "template/streams.hpp"
#include "template/value.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace hive::templates {

struct ContextState;

// Where chance and counting come from. The same seed and the same items give the same bytes.
struct Services {
    Random& random;
    Sequences& sequences;
    SeededStreams& streams;
};

// What one item shows to its templates. Nothing is copied: it must stay until the next item.
struct Input {
    std::string_view payload{};
    const wire::Headers* headers = nullptr;
    const wire::WorkItem* item = nullptr;
    Timestamp now{};
};

// What templates see and the memory they run in. One thread at a time; made once, used for every
// item, so that after the first few nothing is allocated.
class Context {
public:
    explicit Context(Services services, RenderLimits limits = {});
    Context(Context&&) noexcept;
    Context& operator=(Context&&) noexcept;
    ~Context();

    // A name for all items from now on: `vars`, `sut`, ... Without `vars` its name means the item's
    // header `vars`.
    Status bind(std::string_view name, const json::value& value);
    void start(const Input& input);
    // Payload, headers and all from the item; a payload in base64 is shown as the bytes it means.
    void start(const wire::WorkItem& item, Timestamp now);

    ContextState& state() noexcept { return *state_; } // for the machine

private:
    std::unique_ptr<ContextState> state_;
};

// A value of a context as one that stands on its own.
Result<json::value> to_json(const Value& value);

} // namespace hive::templates
