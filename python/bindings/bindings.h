// The parts of the extension module, each in a separate file.
#ifndef LOOKALIKE_PYTHON_BINDINGS_BINDINGS_H_
#define LOOKALIKE_PYTHON_BINDINGS_BINDINGS_H_

#include <nanobind/nanobind.h>

namespace lookalike::python {

/// Binds Options, and the table that they come from.
void BindOptions(nanobind::module_& module);

/// Binds tables of Arrow data.
void BindTables(nanobind::module_& module);

/// Binds Fingerprinter and Sketch.
void BindFingerprints(nanobind::module_& module);

/// Binds the steps of the engine.
void BindEngine(nanobind::module_& module);

/// Binds the steps of the engine for programs that shuffle.
void BindShuffle(nanobind::module_& module);

/// Binds dedup, pairs, compare, plan.
void BindCommands(nanobind::module_& module);

/// Binds filter, weights, group, crumbs, evaluate, synthesize.
void BindUses(nanobind::module_& module);

/// Binds Index.
void BindIndex(nanobind::module_& module);

}  // namespace lookalike::python

#endif  // LOOKALIKE_PYTHON_BINDINGS_BINDINGS_H_
