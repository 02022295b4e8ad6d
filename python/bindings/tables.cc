#include <nanobind/nanobind.h>

#include "bindings.h"
#include "errors.h"
#include "lookalike/inputs.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

/// Takes a table out of an object with the Arrow PyCapsule interface, without copying it.
ArrowTable ImportTable(const nb::object& data) {
  const nb::object capsule = data.attr("__arrow_c_stream__")();
  auto* const stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  // Producers may need the GIL while they are read, so it stays held.
  return Unwrap(ArrowTable::Import(stream));
}

}  // namespace

void BindTables(nb::module_& module) {
  nb::class_<ArrowTable>(module, "Table", "A table of Arrow data that the engine can read.")
      .def_prop_ro("rows", &ArrowTable::rows, "Number of rows.");
  module.def("import_table", &ImportTable, nb::arg("data"),
             "Shares the data of an object with `__arrow_c_stream__`. Raises RunError.");
}

}  // namespace lookalike::python
