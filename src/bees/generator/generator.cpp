#include "bees/generator/generator.hpp"

#include "bees/generator/message.hpp"
#include "worker/kind.hpp"

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;

struct GeneratorConfig {
    MessageConfig message{};
};

void describe(FieldTable& fields, GeneratorConfig& config) {
    fields.add("message", config.message);
}

class Generator final : public worker::WorkWith<GeneratorConfig> {
public:
    explicit Generator(const worker::WorkloadParts& parts) : parts_{parts} {}

    void configure(GeneratorConfig config) override {
        auto message = Message::compile(config.message);
        if (!message) return parts_.give_up(message.error().detail); // judged before
        message_.emplace(*std::move(message));
        renew_renderer();
        config_ = std::move(config);
    }

    void take(std::span<Job> jobs, Line& line) override {
        const Timestamp now = parts_.clock.wall();
        for (Job& job : jobs) {
            wire::Step step{.by = line.stamp()};
            renderer_->look_at(*job.item, now);
            auto ok = message_->render(*renderer_, step.payload);
            if (ok) ok = message_->mark(*renderer_, job.item->headers);
            if (!ok) {
                line.fail(job, ok.error().detail);
                continue;
            }
            job.item->add_step(std::move(step), line.history());
            line.forward(job);
        }
    }

private:
    void renew_renderer() {
        const std::uint64_t seed = parts_.chance->seed("templates");
        if (renderer_ && seed == seed_) return;
        renderer_.emplace(seed, parts_.sequences);
        seed_ = seed;
    }

    worker::WorkloadParts parts_;
    std::uint64_t seed_ = 0; // of the renderer
    GeneratorConfig config_{};
    std::optional<Message> message_{};
    std::optional<worker::Renderer> renderer_{};
};

Status check(const GeneratorConfig& config) {
    const auto message = Message::compile(config.message);
    return message ? Status{} : fail(message.error());
}

} // namespace

worker::BeeKind generator(std::string role) {
    return worker::make_kind<GeneratorConfig>(
        std::move(role),
        [](const worker::WorkloadParts& parts)
            -> Result<std::unique_ptr<worker::WorkWith<GeneratorConfig>>> {
            auto work = std::make_unique<Generator>(parts);
            work->configure({}); // until it is told more
            return work;
        },
        check);
}

} // namespace hive::bees
