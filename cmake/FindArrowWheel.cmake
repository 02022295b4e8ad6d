# Arrow C++ (core and Parquet) from the shared libraries inside a `pyarrow` wheel, which is where
# Debian 12 can get a current Arrow. Set ArrowWheel_PYTHON to an interpreter that has pyarrow.
# Targets: arrow_wheel::arrow, arrow_wheel::parquet. Results: ArrowWheel_VERSION,
# ArrowWheel_LIBDIR, ArrowWheel_SOVERSION, ArrowWheel_S3_MODULE (the file system of s3://, which
# libarrow does not link), and ArrowWheel_LICENSES (files to pass on with copies).
execute_process(
  COMMAND "${ArrowWheel_PYTHON}" -c
          "import pyarrow as p; print(p.__version__, p.get_include(), p.get_library_dirs()[0], sep=';')"
  OUTPUT_VARIABLE _info OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE _rc ERROR_VARIABLE _error)
if(_rc EQUAL 0)
  list(GET _info 0 ArrowWheel_VERSION)
  list(GET _info 1 ArrowWheel_INCLUDE)
  list(GET _info 2 ArrowWheel_LIBDIR)
  file(STRINGS "${ArrowWheel_INCLUDE}/arrow/util/config.h" _so REGEX "define ARROW_SO_VERSION")
  string(REGEX REPLACE ".*\"([0-9]+)\".*" "\\1" ArrowWheel_SOVERSION "${_so}")
  set(ArrowWheel_S3_MODULE "${ArrowWheel_LIBDIR}/libarrow_s3.so.${ArrowWheel_SOVERSION}")
  file(GLOB ArrowWheel_LICENSES "${ArrowWheel_LIBDIR}/../pyarrow-*.dist-info/licenses/*.txt")
  foreach(_name arrow parquet)
    if(NOT TARGET arrow_wheel::${_name})
      add_library(arrow_wheel::${_name} SHARED IMPORTED)
      set_target_properties(arrow_wheel::${_name} PROPERTIES
        IMPORTED_LOCATION "${ArrowWheel_LIBDIR}/lib${_name}.so.${ArrowWheel_SOVERSION}"
        IMPORTED_SONAME "lib${_name}.so.${ArrowWheel_SOVERSION}"
        INTERFACE_INCLUDE_DIRECTORIES "${ArrowWheel_INCLUDE}")
    endif()
  endforeach()
  target_link_libraries(arrow_wheel::parquet INTERFACE arrow_wheel::arrow)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ArrowWheel
  REQUIRED_VARS ArrowWheel_LIBDIR VERSION_VAR ArrowWheel_VERSION
  REASON_FAILURE_MESSAGE "${ArrowWheel_PYTHON} has no pyarrow: ${_error}")
