#include "uses/passages/doc_names.h"

namespace lookalike {

Status DocNames::Add(uint32_t source, uint64_t row, std::string_view id) {
  LOOKALIKE_RETURN_IF_ERROR(
      names_.Add({row, ids_.size(), source, static_cast<uint32_t>(id.size())}));
  return ids_.Add(std::span(id));
}

Result<DocName> DocNames::Of(uint64_t name) const {
  LOOKALIKE_ASSIGN_OR_RETURN(const Name found, names_.At(name));
  DocName of{found.source, found.row, std::string(found.id_size, '\0')};
  LOOKALIKE_RETURN_IF_ERROR(ids_.Read(found.id_begin, of.id));
  return of;
}

}  // namespace lookalike
