# lexbor, the HTML parser, compiled into the program from the sources that `tools/bootstrap.sh lexbor`
# unpacks. Only the modules that parsing needs: no CSS, selectors or URLs.
set(_lexbor "${CMAKE_SOURCE_DIR}/build/lexbor/source")
if(NOT EXISTS "${_lexbor}/lexbor/html/parser.h")
  message(FATAL_ERROR "build/lexbor is missing; run `make build`, or tools/bootstrap.sh lexbor")
endif()
file(GLOB_RECURSE _lexbor_sources
  "${_lexbor}/lexbor/core/*.c" "${_lexbor}/lexbor/dom/*.c" "${_lexbor}/lexbor/encoding/*.c"
  "${_lexbor}/lexbor/html/*.c" "${_lexbor}/lexbor/ns/*.c" "${_lexbor}/lexbor/tag/*.c"
  "${_lexbor}/lexbor/ports/posix/lexbor/core/*.c")
add_library(lexbor_private STATIC ${_lexbor_sources})
target_include_directories(lexbor_private SYSTEM PUBLIC "$<BUILD_INTERFACE:${_lexbor}>")
target_compile_definitions(lexbor_private PRIVATE LEXBOR_STATIC)
set_target_properties(lexbor_private PROPERTIES C_VISIBILITY_PRESET hidden C_STANDARD 99)
# Callbacks of ours may throw (std::bad_alloc) through it.
target_compile_options(lexbor_private PRIVATE -w -fexceptions)
