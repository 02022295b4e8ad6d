// Names that tell inputs apart. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_INPUT_NAMES_H_
#define LOOKALIKE_STAGES_INPUT_INPUT_NAMES_H_

#include "flow/input_list.h"
#include "lookalike/status.h"

namespace lookalike {

/// Gives inputs that share a name, or of which one is named like the folder of another, the
/// shortest ends of their paths that tell them apart: train/part.jsonl and test/part.jsonl. Names
/// become paths below one folder. An Error where an input is given twice, or where no longer name
/// helps (tables in memory have no path). `several`: more than one argument led to them, so that
/// there may be repeated ones.
Status NameApart(bool several, InputList* files);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_INPUT_NAMES_H_
