#pragma once

#include "control/mailbox.hpp"
#include "loop/strand.hpp"
#include "orchestrator/endings.hpp"
#include "orchestrator/queen.hpp"
#include "orchestrator/reports.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hive::orchestrator {

// One turn: everything that waits is decided, what must outlive the queen is kept in one
// transaction, and only then is the rest shown and carried out. While a transaction is under way
// the next turn gathers. Asks have turns of their own: what the store refuses of them is undone.
class Queen::Shell {
public:
    Shell(QueenOptions options, QueenParts parts, Kept kept);
    ~Shell();

    void begin();
    void ask(Queen::Ask ask, RiderPtr rider, std::function<void(Status)> answered);
    void request_status(const wire::Scope& target);

    const QueenOptions& options() const noexcept { return options_; }
    Reports& reports() noexcept { return reports_; }
    Endings& endings() noexcept { return endings_; }

private:
    struct Input {
        Event event;
        RiderPtr rider{};
        std::function<void(Status)> answered{};
    };
    // What asks can change, as it was before them.
    struct Before {
        std::map<SwarmId, std::optional<Swarm>> swarms{};
        std::vector<ConfigOrder> configs{};
    };
    struct Turn {
        std::set<SwarmId> saves{};
        std::set<SwarmId> touched{};
        Batch batch{};
        std::vector<Command> commands{};
        std::vector<Input> asks{}; // that were taken on
        std::optional<Before> before{};
    };

    void take(Input input);
    void turn();
    void remember(Turn& turn, const Event& ask);
    void take_back(Turn& turn);
    void decide_one(Turn& turn, Input input);
    void sort(Turn& turn, Command& command);
    void note(JournalEntry entry); // outside of a turn
    void keep(const std::shared_ptr<Turn>& turn);
    void kept(const std::shared_ptr<Turn>& turn, const Status& status);
    void refused(const std::shared_ptr<Turn>& turn, const Error& why);
    void not_kept(const Turn& turn, const Error& why);
    void show(const Turn& turn);
    void carry_out(const Turn& turn);
    void perform(const Command& command);
    void announce(const AnnounceCreated& announcement);
    void launch(const LaunchMarshal& launch);
    void remove(const RemoveObjects& removal);
    void say(const wire::Envelope& envelope);
    void later(Event event);

    QueenOptions options_;
    QueenParts parts_;
    State state_;
    std::vector<AskRecord> open_; // of an earlier life, until she begins
    Reports reports_;
    Endings endings_;
    std::deque<Input> inbox_;
    bool keeping_ = false;
    std::size_t singly_ = 0;    // asks that the store refused together: each on its own
    bool refusal_told_ = false; // once until the store keeps again
    std::uint64_t requests_ = 0;
    loop::Strand strand_;
    control::Mailbox mailbox_;
    Subscription exits_;
};

} // namespace hive::orchestrator
