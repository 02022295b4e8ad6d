# simdjson, compiled into the program under a namespace of its own.
#
# libparquet carries another version of simdjson and exports its symbols. A shared or plainly named
# simdjson would be mixed with that one at load time, and calls would end in the wrong version.
set(_simdjson "${CMAKE_SOURCE_DIR}/third_party/node_modules/@nozbe/simdjson/src")
if(NOT EXISTS "${_simdjson}/simdjson.cpp")
  message(FATAL_ERROR "third_party/node_modules is missing; run `make build`, or npm ci in third_party")
endif()
add_library(simdjson_private STATIC "${_simdjson}/simdjson.cpp")
target_include_directories(simdjson_private SYSTEM PUBLIC "$<BUILD_INTERFACE:${_simdjson}>")
target_compile_definitions(simdjson_private
  PUBLIC "$<BUILD_INTERFACE:simdjson=lookalike_simdjson>")
target_compile_options(simdjson_private PRIVATE -w)
