// What a shape function sees: shapes and dimensions, known in part or not at all.
#ifndef OPLINK_CC_SHAPE_HPP_
#define OPLINK_CC_SHAPE_HPP_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "oplink/c/ops.h"
#include "oplink/cc/status.hpp"
#include "oplink/cc/tensor.hpp"

namespace oplink {

// A dimension, or that it is unknown.
class Dimension {
 public:
  Dimension() = default;
  explicit Dimension(std::int64_t value) : value_(value) {}
  bool known() const { return value_ >= 0; }
  // -1 where it is unknown.
  std::int64_t value() const { return value_; }

 private:
  std::int64_t value_ = -1;
};

// A shape during inference. It lives no longer than the shape function's call.
class Shape {
 public:
  bool rank_known() const { return TF_ShapeInferenceContextRankKnown(context_, get()) != 0; }
  // -1 where it is unknown.
  std::int64_t rank() const { return rank_known() ? TF_ShapeInferenceContextRank(context_, get()) : -1; }

  // Dimension `i`, counted from the end where it is negative. Unknown where the rank is or where there is none.
  Dimension Dim(std::int64_t i) const {
    const std::int64_t rank = this->rank();
    if (rank < 0 || i < -rank || i >= rank) return Dimension();
    TF_DimensionHandle* handle = TF_NewDimensionHandle();
    TF_ShapeInferenceContextDim(context_, get(), i, handle);
    const bool known = TF_DimensionHandleValueKnown(handle) != 0;
    const Dimension dimension = known ? Dimension(TF_DimensionHandleValue(handle)) : Dimension();
    TF_DeleteDimensionHandle(handle);
    return dimension;
  }

  // The shape, known to be of the rank afterwards; fails where it cannot be.
  Result<Shape> WithRank(std::int64_t rank) const { return Checked(&TF_ShapeInferenceContextWithRank, rank); }
  Result<Shape> WithRankAtLeast(std::int64_t rank) const {
    return Checked(&TF_ShapeInferenceContextWithRankAtLeast, rank);
  }
  Result<Shape> WithRankAtMost(std::int64_t rank) const {
    return Checked(&TF_ShapeInferenceContextWithRankAtMost, rank);
  }

  // Dimensions `start` up to `end`, counted from the end where they are negative.
  Result<Shape> Subshape(std::int64_t start, std::int64_t end) const {
    return Made([&](TF_ShapeHandle* result, TF_Status* status) {
      TF_ShapeInferenceContextSubshape(context_, get(), start, end, result, status);
    });
  }

  // This shape's dimensions followed by the other's.
  Result<Shape> Concatenate(const Shape& other) const {
    return Made([&](TF_ShapeHandle* result, TF_Status* status) {
      TF_ShapeInferenceContextConcatenateShapes(context_, get(), other.get(), result, status);
    });
  }

  // What both shapes say together; fails where they contradict.
  Result<Shape> MergeWith(const Shape& other) const {
    if (!other.rank_known()) return WithRankAtLeast(0);  // this shape as it is
    OPLINK_ASSIGN(const Shape same_rank, WithRank(other.rank()));
    OPLINK_ASSIGN(Shape merged, other.Subshape(0, 0));
    for (std::int64_t i = 0; i < other.rank(); i++) {
      const Dimension mine = same_rank.Dim(i), theirs = other.Dim(i);
      if (mine.known() && theirs.known() && mine.value() != theirs.value()) {
        return InvalidArgument("dimension ", i, " is ", mine.value(), " in one shape and ", theirs.value(), " in another");
      }
      OPLINK_ASSIGN(const Shape part, (mine.known() ? same_rank : other).Subshape(i, i + 1));
      OPLINK_ASSIGN(merged, merged.Concatenate(part));
    }
    return merged;
  }

  TF_ShapeHandle* get() const { return raw_.get(); }

 private:
  friend class ShapeInferenceContext;
  using WithRankFn = void(TF_ShapeInferenceContext*, TF_ShapeHandle*, std::int64_t, TF_ShapeHandle*, TF_Status*);

  Shape(TF_ShapeInferenceContext* context, TF_ShapeHandle* owned) : context_(context), raw_(owned) {}

  Result<Shape> Checked(WithRankFn* check, std::int64_t rank) const {
    return Made([&](TF_ShapeHandle* result, TF_Status* status) { check(context_, get(), rank, result, status); });
  }

  template <class Make>
  Result<Shape> Made(Make make) const {
    Shape result(context_, TF_NewShapeHandle());
    internal::StatusHandle status;
    make(result.get(), status.get());
    if (!status.ok()) return status.ToStatus();
    return result;
  }

  struct Delete {
    void operator()(TF_ShapeHandle* handle) const { TF_DeleteShapeHandle(handle); }
  };
  TF_ShapeInferenceContext* context_;
  std::unique_ptr<TF_ShapeHandle, Delete> raw_;
};

// A node whose outputs' shapes are asked for.
class ShapeInferenceContext {
 public:
  explicit ShapeInferenceContext(TF_ShapeInferenceContext* raw) : raw_(raw) {}
  TF_ShapeInferenceContext* get() const { return raw_; }

  std::int64_t num_inputs() const { return TF_ShapeInferenceContextNumInputs(raw_); }

  // The shape of input `i`.
  Result<Shape> Input(int i) const {
    Shape shape = Unknown();
    internal::StatusHandle status;
    TF_ShapeInferenceContextGetInput(raw_, i, shape.get(), status.get());
    if (!status.ok()) return status.ToStatus();
    return shape;
  }

  Status SetOutput(int i, const Shape& shape) {
    internal::StatusHandle status;
    TF_ShapeInferenceContextSetOutput(raw_, i, shape.get(), status.get());
    return status.ToStatus();
  }

  // Says of all outputs that nothing is known.
  Status SetUnknown() {
    internal::StatusHandle status;
    TF_ShapeInferenceContextSetUnknownShape(raw_, status.get());
    return status.ToStatus();
  }

  Shape Unknown() const { return Shape(raw_, TF_NewShapeHandle()); }
  Shape Scalar() const { return Shape(raw_, TF_ShapeInferenceContextScalar(raw_)); }
  Shape Vector(std::size_t size) const { return Shape(raw_, TF_ShapeInferenceContextVectorFromSize(raw_, size)); }

  // The shape of known dimensions.
  Result<Shape> Make(const Dims& dims) const {
    Shape shape = Scalar();
    for (std::int64_t dim : dims) {
      if (dim < 0) return InvalidArgument("dimension ", dim, " of a shape is negative");
      OPLINK_ASSIGN(shape, shape.Concatenate(Vector(static_cast<std::size_t>(dim))));
    }
    return shape;
  }

  // The value of a `type` attr. The C API tells shape functions of no other kind.
  Result<TF_DataType> AttrType(const std::string& name) const {
    TF_DataType value = TF_FLOAT;
    internal::StatusHandle status;
    TF_ShapeInferenceContext_GetAttrType(raw_, name.c_str(), &value, status.get());
    if (!status.ok()) return status.ToStatus();
    return value;
  }

 private:
  TF_ShapeInferenceContext* raw_;
};

// A shape function for ops whose first output has the shape of the first input.
inline Status UnchangedShape(ShapeInferenceContext& context) {
  OPLINK_ASSIGN(const Shape shape, context.Input(0));
  return context.SetOutput(0, shape);
}

}  // namespace oplink

#endif
