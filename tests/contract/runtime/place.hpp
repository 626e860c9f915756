#pragma once

#include "runtime/runtime.hpp"

#include <memory>
#include <string>

namespace hive::contract {

// Where the components of one test run.
class Place {
public:
    virtual ~Place() = default;
    virtual std::unique_ptr<runtime::Runtime> open() = 0;
    // Whether a component that was launched does by now what its role says.
    virtual bool is_settled(const runtime::Name& name) = 0;
    // What it found as SAYING in its environment.
    virtual std::string saying_of(const runtime::Name& name) = 0;
    virtual std::size_t many() const = 0; // components to be launched at once
};

std::unique_ptr<Place> make_place(); // empty; defined by <adapter>_place.cpp

} // namespace hive::contract
