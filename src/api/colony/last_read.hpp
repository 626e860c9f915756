#pragma once

#include "colony/approvals/repository.hpp"
#include "colony/costs/repository.hpp"

#include <memory>
#include <mutex>

namespace hive::rest {

// Something that every act asks for and almost nobody changes, as it was last read: reading it each
// time would cost more than the acts. forget() after a change; a change by another server of the
// hive is seen within a second, when the chore of approvals forgets it.
template <class T>
class LastRead {
public:
    using Ptr = std::shared_ptr<const T>;

    template <class Book>
    Result<Ptr> get(const Book& book) {
        {
            const std::lock_guard lock{mutex_};
            if (last_) return last_;
        }
        auto all = book.all();
        if (!all) return fail(all.error());
        const std::lock_guard lock{mutex_};
        last_ = std::make_shared<const T>(*std::move(all));
        return last_;
    }
    void forget() {
        const std::lock_guard lock{mutex_};
        last_.reset();
    }

private:
    std::mutex mutex_;
    Ptr last_{};
};

using KeptRules = LastRead<colony::approvals::Rules>;
using KeptBudgets = LastRead<colony::costs::Budgets>;

} // namespace hive::rest
