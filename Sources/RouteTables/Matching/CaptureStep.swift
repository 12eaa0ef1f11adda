// SPDX-License-Identifier: Apache-2.0
/// The location of a capture's text in the URLs that a variant matches.
struct CaptureStep: Equatable, BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// No fixed location: the capture is a part of a segment, one of two catch-alls or a list, or is not in this variant.
    case elsewhere
    /// A host label, counted from the right.
    case label
    /// A segment, counted from the left.
    case segment
    /// A segment, counted from the right.
    case lastSegment
    /// The segments of a catch-all, from the left to `last` segments before the end.
    case segments
    /// The first value of a query key.
    case query
    case fragment
  }

  var kind = Kind.elsewhere
  /// Indicates whether a text outside the language counts as absent.
  var isOptional = false
  /// The index of the label or segment, or the number of the query key.
  var number: UInt32 = 0
  var language: UInt32 = 0
  /// The number of segments after a catch-all.
  var last: UInt32 = 0
}
