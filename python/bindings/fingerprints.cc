#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "lookalike/fingerprint.h"
#include "lookalike/inputs.h"
#include "lookalike/set_sketch.h"
#include "lookalike/sketch.h"
#include "run.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T>;
template <class T>
using GivenArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Memory that becomes a NumPy array without copying. It is not cleared first, as every value is
/// written.
template <class T>
class Values {
 public:
  Values(bool wanted, size_t rows, size_t width) : wanted_(wanted), rows_(rows), width_(width) {
    if (wanted) memory_ = std::make_unique_for_overwrite<T[]>(rows * width);
  }

  std::span<T> span() {
    return wanted_ ? std::span(memory_.get(), rows_ * width_) : std::span<T>();
  }

  /// Returns the array, one-dimensional if `flat`; None if it was not wanted. REQUIRES: the GIL is
  /// held.
  nb::object Give(bool flat = false) {
    if (!wanted_) return nb::none();
    T* const values = memory_.release();
    const nb::capsule owner(values,
                            [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
    const size_t shape[] = {rows_, width_};
    return nb::cast(Array<T>(values, flat ? 1 : 2, shape, owner));
  }

 private:
  bool wanted_;
  size_t rows_, width_;
  std::unique_ptr<T[]> memory_;
};

nb::tuple RunFingerprinter(const Fingerprinter& fingerprinter, const ArrowTable& table,
                           const std::string& field, bool sketches, bool keys, bool counts,
                           nb::object progress) {
  const TextColumn column = Unwrap(WithoutGil([&] { return TextColumn::Of(table, field); }));
  const size_t rows = column.texts().size();
  Values<uint32_t> made(sketches, rows, fingerprinter.coordinates());
  Values<uint64_t> made_keys(keys, rows, fingerprinter.keys());
  Values<uint32_t> made_counts(counts, rows, 1);
  RunToEnd({std::move(progress), nb::none()}, [&](const Observer& observer) {
    return fingerprinter.Run(column.texts(), {made.span(), made_keys.span(), made_counts.span()},
                             observer);
  });
  return nb::make_tuple(made.Give(), made_keys.Give(), made_counts.Give(true));
}

nb::object FeaturesOf(const Fingerprinter& fingerprinter, const nb::bytes& text) {
  const std::string_view view = TextOf(text);
  const std::vector<uint64_t> features =
      Unwrap(WithoutGil([&] { return fingerprinter.Features(view); }));
  Values<uint64_t> values(true, features.size(), 1);
  std::copy(features.begin(), features.end(), values.span().begin());
  return values.Give(true);
}

nb::object CoordinatesOf(const Sketch& sketch) {
  Values<uint32_t> values(true, sketch.coordinates().size(), 1);
  std::copy(sketch.coordinates().begin(), sketch.coordinates().end(), values.span().begin());
  return values.Give(true);
}

template <class T>
std::span<const T> SpanOf(const GivenArray<T>& array) {
  return {array.data(), array.size()};
}

Fingerprinter MakeFingerprinter(const Options& options, uint64_t documents) {
  return UnwrapOption(Fingerprinter::Create(options, documents));
}

Sketch SketchOfText(const nb::bytes& text, const Options& options) {
  const std::string_view view = TextOf(text);
  UnwrapOption(Sketch::OfFeatures({}, options));
  return Unwrap(WithoutGil([&] { return Sketch::OfText(view, options); }));
}

Sketch SketchOfFeatures(const GivenArray<uint64_t>& features, const Options& options) {
  return UnwrapOption(WithoutGil([&] { return Sketch::OfFeatures(SpanOf(features), options); }));
}

Sketch SketchOfWeighted(const GivenArray<uint64_t>& features, const GivenArray<double>& weights,
                        const Options& options) {
  UnwrapOption(Sketch::OfFeatures({}, options));  // reports what is wrong with the options
  return Unwrap(
      WithoutGil([&] { return Sketch::OfWeighted(SpanOf(features), SpanOf(weights), options); }));
}

Sketch SketchOfCoordinates(const GivenArray<uint32_t>& coordinates, const Options& options) {
  return Unwrap(Sketch::OfCoordinates(SpanOf(coordinates), options));
}

template <class Value>
void AddTo(Value& sketch, const GivenArray<uint64_t>& features) {
  Unwrap(sketch.Add(SpanOf(features)));
}

Sketch SketchOfBytes(const nb::bytes& bytes) { return Unwrap(Sketch::FromBytes(TextOf(bytes))); }

nb::bytes BytesOf(const Sketch& sketch) {
  const std::string bytes = sketch.ToBytes();
  return nb::bytes(bytes.data(), bytes.size());
}

template <class Coordinates>
std::tuple<double, double> Resemblance(const Coordinates& a, const Coordinates& b) {
  const ResemblanceEstimate estimate = Unwrap(a.EstimateResemblance(b));
  return {estimate.resemblance, estimate.standard_error};
}

CompressedSketch CompressedOfBytes(const nb::bytes& bytes) {
  return Unwrap(CompressedSketch::FromBytes(TextOf(bytes)));
}

nb::bytes BytesOfCompressed(const CompressedSketch& sketch) {
  const std::string bytes = sketch.ToBytes();
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object ValuesOfCompressed(const CompressedSketch& sketch) {
  Values<uint16_t> values(true, sketch.values().size(), 1);
  std::copy(sketch.values().begin(), sketch.values().end(), values.span().begin());
  return values.Give(true);
}

CompressedSketch Compressed(const Sketch& sketch, uint32_t bits) {
  return UnwrapOption(sketch.Compressed(bits));
}

std::tuple<double, double> FeatureCount(const Sketch& sketch) {
  const FeatureCountEstimate estimate = sketch.EstimateFeatureCount();
  return {estimate.features, estimate.standard_error};
}

SetSketch SampleOfText(const nb::bytes& text, const Options& options) {
  const std::string_view view = TextOf(text);
  UnwrapOption(SetSketch::OfFeatures({}, options));  // reports what is wrong with the options
  return Unwrap(WithoutGil([&] { return SetSketch::OfText(view, options); }));
}

SetSketch SampleOfFeatures(const GivenArray<uint64_t>& features, const Options& options) {
  return UnwrapOption(WithoutGil([&] { return SetSketch::OfFeatures(SpanOf(features), options); }));
}

nb::bytes BytesOfSample(const SetSketch& sample) {
  const std::string bytes = sample.ToBytes();
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object ValuesOf(const SetSketch& sample) {
  Values<uint64_t> values(true, sample.values().size(), 1);
  std::copy(sample.values().begin(), sample.values().end(), values.span().begin());
  return values.Give(true);
}

std::tuple<double, double> Shown(const SampleEstimate& estimate) {
  return {estimate.value, estimate.standard_error};
}

void BindCompressedSketch(nb::module_& module) {
  nb::class_<CompressedSketch>(module, "CompressedSketch", "A few bits of each coordinate.")
      .def_static("from_bytes", &CompressedOfBytes, nb::arg("bytes"), "Raises RunError.")
      .def("to_bytes", &BytesOfCompressed)
      .def_prop_ro("name", &CompressedSketch::name)
      .def_prop_ro("shingle", &CompressedSketch::shingle)
      .def_prop_ro("seed", &CompressedSketch::seed)
      .def_prop_ro("bits", &CompressedSketch::bits)
      .def_prop_ro("empty", &CompressedSketch::empty)
      .def_prop_ro("values", &ValuesOfCompressed)
      .def("resemblance", &Resemblance<CompressedSketch>, nb::arg("other"),
           "(estimate, standard error)")
      .def(
          "__eq__", [](const CompressedSketch& a, const CompressedSketch& b) { return a == b; },
          nb::is_operator());
}

void BindSetSketch(nb::module_& module) {
  nb::class_<SetSketch>(module, "SetSketch", "A sample of a set of features.")
      .def_static("of_text", &SampleOfText, nb::arg("text"), nb::arg("options"))
      .def_static("of_features", &SampleOfFeatures, nb::arg("features"), nb::arg("options"))
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes) { return Unwrap(SetSketch::FromBytes(TextOf(bytes))); },
          nb::arg("bytes"), "Raises RunError.")
      .def("to_bytes", &BytesOfSample)
      .def("copy", [](const SetSketch& sample) { return SetSketch(sample); })
      .def_prop_ro("name", &SetSketch::name)
      .def_prop_ro("shingle", &SetSketch::shingle)
      .def_prop_ro("seed", &SetSketch::seed)
      .def_prop_ro("values", &ValuesOf)
      .def(
          "merge", [](SetSketch& a, const SetSketch& b) { Unwrap(a.Merge(b)); }, nb::arg("other"))
      .def("update", &AddTo<SetSketch>, nb::arg("features"))
      .def(
          "resemblance",
          [](const SetSketch& a, const SetSketch& b) {
            return Shown(Unwrap(a.EstimateResemblance(b)));
          },
          nb::arg("other"), "(estimate, standard error)")
      .def(
          "containment",
          [](const SetSketch& a, const SetSketch& b) {
            return Shown(Unwrap(a.EstimateContainment(b)));
          },
          nb::arg("other"), "(estimate, standard error)")
      .def(
          "feature_count",
          [](const SetSketch& sample) {
            const FeatureCountEstimate estimate = sample.EstimateFeatureCount();
            return std::tuple(estimate.features, estimate.standard_error);
          },
          "(estimate, standard error)")
      .def(
          "__eq__", [](const SetSketch& a, const SetSketch& b) { return a == b; },
          nb::is_operator());
}

}  // namespace

void BindFingerprints(nb::module_& module) {
  nb::class_<Fingerprinter>(module, "Fingerprinter", "Texts to sketches and band keys.")
      .def(nb::new_(&MakeFingerprinter), nb::arg("options"), nb::arg("documents"))
      .def_prop_ro("coordinates", &Fingerprinter::coordinates, "Values of a sketch.")
      .def_prop_ro("keys", &Fingerprinter::keys, "Band keys of a text.")
      .def_prop_ro("design", &Fingerprinter::design, "The resolved design, or \"exact\".")
      .def("run", &RunFingerprinter, nb::arg("table"), nb::arg("field"), nb::arg("sketches"),
           nb::arg("keys"), nb::arg("counts"), nb::arg("progress").none(),
           "Arrays (rows, coordinates), (rows, keys) and (rows,), None for those not wanted. "
           "Raises RunError.")
      .def("features", &FeaturesOf, nb::arg("text"), "The set of features of a text, ascending.");

  BindCompressedSketch(module);
  nb::class_<Sketch>(module, "Sketch", "The sketch of a set of features.")
      .def_static("of_text", &SketchOfText, nb::arg("text"), nb::arg("options"))
      .def_static("of_features", &SketchOfFeatures, nb::arg("features"), nb::arg("options"))
      .def_static("of_weighted", &SketchOfWeighted, nb::arg("features"), nb::arg("weights"),
                  nb::arg("options"))
      .def_static("of_coordinates", &SketchOfCoordinates, nb::arg("coordinates"),
                  nb::arg("options"))
      .def_static("from_bytes", &SketchOfBytes, nb::arg("bytes"), "Raises RunError.")
      .def("to_bytes", &BytesOf)
      .def("copy", [](const Sketch& sketch) { return Sketch(sketch); })
      .def_prop_ro("name", &Sketch::name)
      .def_prop_ro("shingle", &Sketch::shingle)
      .def_prop_ro("seed", &Sketch::seed)
      .def_prop_ro("empty", &Sketch::empty)
      .def_prop_ro("coordinates", &CoordinatesOf)
      .def(
          "merge", [](Sketch& a, const Sketch& b) { Unwrap(a.Merge(b)); }, nb::arg("other"))
      .def("update", &AddTo<Sketch>, nb::arg("features"))
      .def("resemblance", &Resemblance<Sketch>, nb::arg("other"), "(estimate, standard error)")
      .def("compressed", &Compressed, nb::arg("bits"), "Raises OptionError.")
      .def("feature_count", &FeatureCount, "(estimate, standard error)")
      .def(
          "__eq__", [](const Sketch& a, const Sketch& b) { return a == b; }, nb::is_operator());

  BindSetSketch(module);
}

}  // namespace lookalike::python
