#include "errors.h"

namespace lookalike::python {

namespace nb = nanobind;

void Raise(const char* kind, const Error& error) {
  const nb::object type = nb::module_::import_("lookalike.errors").attr(kind);
  // File names may be arbitrary bytes.
  const auto text = [](const std::string& bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                          "surrogateescape"));
  };
  const nb::object exception = type(text(error.what), text(error.where));
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw nb::python_error();
}

}  // namespace lookalike::python
