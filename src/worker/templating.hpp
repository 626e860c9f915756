#pragma once

#include "kernel/clock.hpp"
#include "kernel/random.hpp"
#include "template/template.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace hive::worker {

// Compiles one setting; the error says what is wrong and where in it.
Result<templates::Template> compile_setting(std::string_view source, std::string_view key);

struct RenderParts { // the clock outlives what it is given to
    const Clock& clock;
    std::shared_ptr<templates::Sequences> sequences;
    std::uint64_t seed = 1;
};

// What the templates of one bee share: chance, counters, and the item they look at.
class Renderer {
public:
    explicit Renderer(
        std::uint64_t seed, std::shared_ptr<templates::Sequences> sequences =
                                std::make_shared<templates::LocalSequences>())
        : random_{seed}, sequences_{std::move(sequences)},
          context_{{random_, *sequences_, streams_}} {}

    // Until the next item.
    void look_at(const wire::WorkItem& item, Timestamp now) { context_.start(item, now); }
    Status render(const templates::Template& text, std::string& out) {
        return text.render(context_, out);
    }
    templates::Context& context() noexcept { return context_; }

private:
    Random random_;
    std::shared_ptr<templates::Sequences>
        sequences_; // other templates of the bee count on them too
    templates::SeededStreams streams_;
    templates::Context context_;
};

} // namespace hive::worker
