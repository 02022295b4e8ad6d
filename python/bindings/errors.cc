#include "errors.h"

#include <string_view>

#include "keyword_words.h"

namespace lookalike::python {

namespace nb = nanobind;

void Raise(const char* kind, const Error& error) {
  if (error.code == ErrorCode::kOption) kind = "OptionError";
  const nb::object type = nb::module_::import_("lookalike.errors").attr(kind);
  // File names may be arbitrary bytes.
  const auto text = [](std::string_view bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                          "surrogateescape"));
  };
  const nb::object exception = type(text(InKeywords(error.what)), text(error.where),
                                    text(NameOf(error.code)), text(KeywordOf(error.option)));
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw nb::python_error();
}

}  // namespace lookalike::python
