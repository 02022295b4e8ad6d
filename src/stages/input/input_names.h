// Distinct names for inputs. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_INPUT_NAMES_H_
#define LOOKALIKE_STAGES_INPUT_INPUT_NAMES_H_

#include "lookalike/status.h"
#include "records/input_list.h"

namespace lookalike {

/// Renames inputs that share a name, or that are named like the folder of another input, to the
/// shortest ends of their paths that are distinct: train/part.jsonl and test/part.jsonl. Names
/// become paths below one folder. Returns an Error if an input is given twice, or if no longer name
/// helps (tables in memory have no path). `several`: more than one argument led to the inputs, so
/// that some may be repeated.
Status NameApart(bool several, InputList* files);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_INPUT_NAMES_H_
