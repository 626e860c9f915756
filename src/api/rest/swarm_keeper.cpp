#include "api/rest/swarm_keeper.hpp"

#include "api/rest/swarm_unit.hpp"
#include "kernel/entropy.hpp"
#include "orchestrator/stored.hpp"
#include "store/ask_tables.hpp"
#include "store/swarm_tables.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>

namespace hive::rest {
namespace {

// What one transaction takes at most, so that a long queue does not become one long unit.
constexpr std::size_t batches_max = 64;
constexpr std::size_t entries_max = 1000;

using Told = std::function<void(Status)>;

struct Waiting {
    orchestrator::Batch batch;
    Told done;
};

struct UnderWay {
    SwarmUnitPtr unit;
    std::vector<Told> dones{};
};

// May the same unit succeed later?
bool passes_with_time(Errc code) {
    return code == Errc::unavailable || code == Errc::timeout || code == Errc::limit;
}

template <class T>
Result<T> read_body(const std::string& body, Result<T> (*read)(const json::value&)) {
    auto parsed = parse_json(body, {.bytes = body.size() + 1, .depth = 64});
    if (!parsed) return fail(parsed.error());
    return read(*parsed);
}

Error in_store(std::string_view kind, std::string_view id, const Error& error) {
    return {error.code, fmt::format("{} '{}' in the store: {}", kind, id, error.detail)};
}

} // namespace

// Everything but arrive() and close() runs on the strand. The store's callbacks hold a weak
// reference.
class SwarmKeeper::Desk : public std::enable_shared_from_this<Desk> {
public:
    Desk(KeeperOptions options, const KeeperParts& parts)
        : options_{std::move(options)}, parts_{parts},
          chronicle_{parts.database, parts.hive, fill_from_entropy}, strand_{parts.loop} {}

    void open() {
        strand_.every(options_.sweep_every, [this] { sweep(); });
    }
    void post(loop::Task task) { strand_.post(std::move(task)); }

    void arrive(Waiting waiting) {
        {
            const std::lock_guard lock{mutex_};
            arrived_.push_back(std::move(waiting));
        }
        strand_.post([this] {
            if (!under_way_) next();
        });
    }

    void close() {
        strand_.close();
        const Status closed = fail(Errc::closed, "the hive is shutting down");
        if (under_way_) tell(*under_way_, closed);
        take_arrived();
        for (const Waiting& waiting : waiting_) waiting.done(closed);
        waiting_.clear();
    }

    void sweep() {
        auto taken = parts_.database.write(
            {.work = [more = sweep_more_, hive = parts_.hive, options = options_,
                      now = parts_.clock.wall()](store::Session& session) -> Status {
                auto swept = store::JournalTable{session, hive}.sweep(options.retention, now);
                if (!swept) return fail(swept.error());
                *more = swept->more;
                const auto forgotten = store::SwarmTable{session, hive}.forget(
                    name_of(orchestrator::Phase::removed), now - options.forget_removed_after);
                if (!forgotten) return fail(forgotten.error());
                const auto ended =
                    store::AskTable{session, hive}.forget(now - options.forget_ended_after);
                return ended ? Status{} : fail(ended.error());
            }},
            in_turn([this](const Status& ended) { swept(ended); }));
        if (!taken) swept(taken);
    }

private:
    // A callback for the store that comes back onto the strand, if that is still there.
    std::function<void(Status)> in_turn(std::function<void(const Status&)> then) {
        return [weak = weak_from_this(), post = strand_.poster(),
                then = std::move(then)](const Status& ended) {
            post([weak, then, ended] {
                if (const auto alive = weak.lock()) then(ended);
            });
        };
    }

    void take_arrived() {
        const std::lock_guard lock{mutex_};
        std::ranges::move(arrived_, std::back_inserter(waiting_));
        arrived_.clear();
    }

    void next() {
        take_arrived();
        if (waiting_.empty()) return;
        auto unit = std::make_shared<SwarmUnit>(SwarmUnit{
            .name = fmt::format("{}-{}", options_.life, ++units_),
            .hive = parts_.hive,
            .now = parts_.clock.wall()});
        UnderWay going{.unit = unit};
        std::size_t entries = 0;
        const std::size_t most = singly_ > 0 ? 1 : batches_max;
        while (!waiting_.empty() && unit->batches.size() < most && entries < entries_max) {
            entries += waiting_.front().batch.entries.size();
            unit->batches.push_back(std::move(waiting_.front().batch));
            going.dones.push_back(std::move(waiting_.front().done));
            waiting_.pop_front();
        }
        if (singly_ > 0) --singly_;
        under_way_ = std::move(going);
        write();
    }

    void write() {
        auto taken = chronicle_.change(
            {.work = SwarmUnitWork{under_way_->unit, announcements_, parts_.outbox}},
            in_turn([this](const Status& status) { ended(status); }));
        if (!taken) ended(taken);
    }

    void ended(const Status& status) {
        if (!status && passes_with_time(status.error().code)) return try_again(status.error());
        if (away_) {
            parts_.log.info("the store keeps swarms again", {{"waiting", waiting_.size()}});
        }
        away_ = false;
        if (!status && under_way_->dones.size() > 1) return try_one_by_one();
        if (!status) {
            parts_.log.error(
                "what a swarm went through is not kept", {{"reason", status.error().detail}});
        } else if (parts_.announce) {
            for (const auto& announcement : *announcements_) parts_.announce(announcement);
        }
        const UnderWay over = std::move(*under_way_);
        under_way_.reset();
        next();
        tell(over, status);
    }

    void try_again(const Error& why) {
        if (!away_) {
            wait_ = options_.retry_first;
            parts_.log.warn(
                "swarms cannot be kept; trying again until they are", {{"reason", why.detail}});
        }
        away_ = true;
        strand_.after(wait_, [this] { write(); });
        wait_ = std::min(2 * wait_, options_.retry_most);
    }

    // One of them is refused for what it holds: the others must not fall with it.
    void try_one_by_one() {
        UnderWay together = std::move(*under_way_);
        under_way_.reset();
        singly_ = together.dones.size();
        for (std::size_t i = together.dones.size(); i-- > 0;) {
            waiting_.push_front({together.unit->batches[i], std::move(together.dones[i])});
        }
        next();
    }

    static void tell(const UnderWay& over, const Status& status) {
        for (const Told& done : over.dones) done(status);
    }

    void swept(const Status& ended) {
        if (!ended) {
            parts_.log.warn("cannot clear out the journal", {{"reason", ended.error().detail}});
        } else if (*sweep_more_) {
            sweep();
        }
    }

    KeeperOptions options_;
    KeeperParts parts_;
    store::Chronicle chronicle_;
    std::mutex mutex_;
    std::vector<Waiting> arrived_; // guarded; the rest is the strand's
    std::deque<Waiting> waiting_;
    std::optional<UnderWay> under_way_{};
    // Shared with the unit under way; there is never a second one.
    std::shared_ptr<std::vector<Change::Announcement>> announcements_ =
        std::make_shared<std::vector<Change::Announcement>>();
    std::shared_ptr<bool> sweep_more_ = std::make_shared<bool>(false);
    std::uint64_t units_ = 0;
    std::size_t singly_ = 0; // so many of the next batches are tried alone
    bool away_ = false;
    Duration wait_{};
    loop::Strand strand_; // last: its tasks use everything above
};

SwarmKeeper::SwarmKeeper(KeeperOptions options, KeeperParts parts)
    : parts_{std::move(parts)}, desk_{std::make_shared<Desk>(std::move(options), parts_)} {
    desk_->open();
}

SwarmKeeper::~SwarmKeeper() {
    desk_->close();
}

Result<orchestrator::Kept> SwarmKeeper::load() {
    return store::read_for(
        parts_.database, [this](store::Session& session) -> Result<orchestrator::Kept> {
            const auto swarms = store::SwarmTable{session, parts_.hive}.load();
            if (!swarms) return fail(swarms.error());
            const auto asks = store::AskTable{session, parts_.hive}.open();
            if (!asks) return fail(asks.error());
            orchestrator::Kept kept;
            for (const store::SwarmRow& row : *swarms) {
                auto swarm = read_body<orchestrator::Swarm>(row.body, orchestrator::from_stored);
                if (!swarm) return fail(in_store("swarm", row.id, swarm.error()));
                kept.swarms.push_back(std::move(*swarm));
            }
            for (const store::AskRow& row : *asks) {
                auto ask =
                    read_body<orchestrator::AskRecord>(row.body, orchestrator::ask_from_stored);
                if (!ask) return fail(in_store("request", row.correlation_id, ask.error()));
                kept.open.push_back(std::move(*ask));
            }
            return kept;
        });
}

void SwarmKeeper::keep(orchestrator::Batch batch, std::function<void(Status)> done) {
    desk_->arrive({std::move(batch), std::move(done)});
}

void SwarmKeeper::sweep() {
    desk_->post([desk = desk_.get()] { desk->sweep(); });
}

} // namespace hive::rest
