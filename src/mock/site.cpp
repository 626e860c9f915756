#include "mock/site.hpp"

namespace hive::mock {

Site::Road::Road(const Route& route)
    : below{route.path.ends_with("/*")},
      path{route.path.substr(0, route.path.size() - (below ? 1 : 0))}, method{route.method},
      endpoint{route.does} {}

Site::Site(Settings settings, const Clock& clock, RequestLog* log)
    : settings_{std::move(settings)}, clock_{clock}, log_{log}, usual_{settings_.usual},
      start_{clock.now()} {
    for (const Route& route : settings_.routes) roads_.emplace_back(route);
    for (std::size_t i = 0; i < settings_.threads; ++i)
        recorders_.emplace_back(settings_.arrivals_max / settings_.threads);
}

Endpoint& Site::endpoint(std::string_view method, std::string_view target) {
    const std::string_view path = target.substr(0, target.find('?'));
    for (Road& road : roads_) {
        const bool fits = road.below ? path.starts_with(road.path) : path == road.path;
        if (fits && (road.method.empty() || road.method == method)) return road.endpoint;
    }
    return usual_;
}

Duration Site::since_start(TimePoint now) const {
    return now - start_.load(std::memory_order_relaxed);
}

std::optional<TimePoint> Site::stalled_until(TimePoint now) const {
    for (const Stall& stall : settings_.stalls) {
        const TimePoint begin = start_.load(std::memory_order_relaxed) + stall.at;
        if (now >= begin && now < begin + stall.lasts) return begin + stall.lasts;
    }
    return std::nullopt;
}

Record Site::record() const {
    Record all;
    for (const Recorder& recorder : recorders_) all.merge(recorder.read());
    return all;
}

void Site::reset() {
    for (Recorder& recorder : recorders_) recorder.reset();
    for (Road& road : roads_) road.endpoint.reset();
    usual_.reset();
    start_.store(clock_.now(), std::memory_order_relaxed);
}

} // namespace hive::mock
