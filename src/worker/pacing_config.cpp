#include "worker/pacing_config.hpp"

#include "pace/shape_json.hpp"

#include <array>

namespace hive::pace {

std::span<const Named<Jitter::Kind>> names_of(Jitter::Kind) {
    using Kind = Jitter::Kind;
    static constexpr std::array names{
        Named<Kind>{"NONE", Kind::none}, Named<Kind>{"SEQUENCE", Kind::sequence},
        Named<Kind>{"PERIODIC", Kind::periodic}};
    return names;
}

} // namespace hive::pace

namespace hive::worker {

std::span<const Named<Pacing>> names_of(Pacing) {
    static constexpr std::array names{
        Named<Pacing>{"SCHEDULED", Pacing::scheduled},
        Named<Pacing>{"UNLIMITED", Pacing::unlimited}};
    return names;
}

void describe(FieldTable& fields, JitterInput& input) {
    fields.add("type", input.kind)
        .help("NONE; SEQUENCE moves each item by chance; PERIODIC does so alike in every cycle");
    fields.add("max", input.max).help("How much later an item may be; never past the next one");
}

void describe(FieldTable& fields, SchedulerInput& input) {
    fields.add("pacing", input.pacing)
        .help("SCHEDULED keeps to the rate; UNLIMITED is as fast as whoever takes the items");
    fields.add("ratePerSec", input.rate_per_sec)
        .range(0, pace::rate_max)
        .unit("1/s")
        .help("Items per second; 0 stops");
    fields.add("shape", input.shape)
        .help("Instead of the rate: rate-per-sec, sine, ramp, steps or pattern");
    fields.rule([&input]() -> Status {
        if (input.shape.is_null()) return {};
        const auto shape = pace::read_shape(input.shape, "shape");
        return shape ? Status{} : fail(shape.error());
    });
    fields.add("maxMessages", input.max_messages)
        .help("How many items there are in all; 0: no end");
    fields.add("reset", input.reset)
        .help("While it is true each config-update begins to count and to run the shape anew");
    fields.add("jitter", input.jitter);
    fields.add("poisson", input.poisson)
        .help("Arrivals by chance with the same mean, instead of evenly");
    fields.add("maxLag", input.max_lag)
        .help("Items that could not be sent for longer than this are dropped and counted");
    fields.add("seed", input.seed).help("Of what is left to chance here; none: that of the bee");
}

} // namespace hive::worker
