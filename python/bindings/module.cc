// The extension module lookalike._core: thin, typed access to include/lookalike. Conveniences are
// added in Python, on top of it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "lookalike/lookalike.h"

NB_MODULE(_core, module) {
  using namespace lookalike::python;  // NOLINT: the entry point of the module
  module.doc() = "Bindings of the Lookalike engine; use the package `lookalike`.";
  module.def("version", &lookalike::VersionString,
             "Version, fingerprint version and instruction set, as `lookalike --version`.");
  BindOptions(module);
  BindTables(module);
  BindFingerprints(module);
  BindEngine(module);
  BindShuffle(module);
  BindCommands(module);
  BindUses(module);
  BindIndex(module);
}
