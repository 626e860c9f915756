// The one place where Asio and Beast are compiled; see hive_asio in dependencies.cmake.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
