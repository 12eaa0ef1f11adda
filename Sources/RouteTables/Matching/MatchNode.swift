// SPDX-License-Identifier: Apache-2.0
/// A node of the encoded index.
///
/// The number of a node is its offset in the memory of the index, in 8-byte words. The fields are offsets and counts, so
/// that the index is one block of memory without pointers.
struct MatchNode: BitwiseCopyable {
  /// The value of `special` in a node that has to search its branches.
  static let several = UInt32.max
  /// The value of `mask` in a node without literal edges.
  static let noTexts = UInt32.max

  /// The lowest number of a variant that ends in or under the node; variants are numbered in order of precedence.
  var best = UInt32.max
  /// The offset of the node's table of literal edges, in words; `mask` is the size of the table, a power of two, minus one.
  var texts: UInt32 = 0
  var mask = Self.noTexts
  /// The target of the only branch if that branch accepts any text; 0 if there are no branches.
  ///
  /// `several` if the node has other branches. In a scheme's node that has only literal authorities: the node whose literal
  /// edges are complete authorities.
  var special: UInt32 = 0
  /// The index of the first branch of the node; branches are sorted by their best variants.
  var branches: UInt32 = 0
  var branchCount: UInt32 = 0
  /// The index of the first of the variants that end here, best first; if there is only one, the variant itself.
  var shapes: UInt32 = 0
  var shapeCount: UInt32 = 0
}

/// A slot of a node's table of literal edges; the slot is free if `node` is 0.
///
/// The table uses linear probing: an edge is in the slot of its key, or in a later slot before the next free one.
struct MatchEdge: BitwiseCopyable {
  var key = SegmentKey.empty
  var node: UInt32 = 0
  /// The offset in the pool of a text that is longer than its key, after its length; 0 for other texts.
  var text: UInt32 = 0
}

/// An edge of a node that is not a literal text.
struct MatchBranch: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// One text that is not empty.
    case any
    /// One text that a language accepts.
    case one
    /// One text with a given prefix and suffix, and at least one byte between them.
    case affixes
    /// One text that a language accepts, with a given prefix and suffix.
    case affixesOne
    /// One text compared without case: `node` has the literal edges, in lower case.
    case folded
    /// One or more texts: a catch-all.
    case rest
    /// Any number of host labels, including zero.
    case all
    /// A second catch-all, with `length` segments before it.
    case anchor

    /// Indicates whether the branch accepts exactly one text, and decides so from that text alone.
    @inline(__always) var takesOne: Bool { rawValue <= Kind.affixesOne.rawValue }
  }

  var kind: Kind
  var length: UInt16 = 0
  var language: UInt32
  var node: UInt32
  var best: UInt32
  /// The offset of the affixes in the pool: the length of the prefix, the length of the suffix, then both texts.
  var affixes: UInt32 = 0
}

/// A requirement on the query, the fragment or the conditions of a request.
struct MatchTest: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case absent
    case present
    /// The first value is this text.
    case text
    /// The first value is this text, which is its own key and contains no space, `+` or `%`.
    case shortText
    /// A language accepts the first value.
    case first
    /// A language accepts every value.
    case each
    /// A language accepts the value of the condition.
    case condition
  }

  var kind: Kind
  /// The number of the query key, or of the condition's name.
  var key: UInt32
  /// The number of the language, or the offset of the text in the pool.
  var value: UInt32
  /// The length of the text, in bytes.
  var length: UInt32 = 0
  var text = SegmentKey.empty
}

/// The requirements of a variant beyond its path, and the locations of its captures.
struct MatchVariant: BitwiseCopyable {
  var route: UInt32
  var pattern: UInt32
  /// The index of the first test; the tests of the query come first, then the fragment's, then those of the conditions.
  var tests: UInt32 = 0
  var testCount: UInt16 = 0
  var conditionCount: UInt16 = 0
  /// Indicates whether there is a test of the fragment, which follows the tests of the query.
  var hasFragment = false
  var hasLiteralPlus = false
  /// Indicates whether the path begins right after the scheme, so that a host counts as its first segments.
  var isJoined = false
  var captureCount: UInt8 = 0
  /// The index of the first capture step.
  var captures: UInt32 = 0
  /// The number of leading captures that are whole segments; `segments` has the index of each, one byte per capture.
  var segmentCount: UInt8 = 0
  /// Indicates whether the variant excludes schemes, which its `PatternVariant` lists.
  var excludesSchemes = false
  var segments: UInt64 = 0
}

/// An automaton of the index, as offsets into the arrays of the index.
struct MatchLanguage: BitwiseCopyable {
  /// The class of an unencoded byte that has to be decoded first: `%`, `+`, or a byte outside ASCII.
  static let encoded = UInt16.max

  /// The offset of the classes of the 128 ASCII characters, which the classes of all 256 unencoded bytes follow.
  var classes: UInt32
  var classCount: UInt32
  var transitions: UInt32
  /// The offset of one value per state, which is not 0 if the state accepts.
  var accepting: UInt32
  /// The offset of the ranges of non-ASCII scalars; a range is three numbers: first, last, class.
  var runs: UInt32
  var runCount: UInt32
  /// The state from which every continuation is accepted; 0 if there is none.
  var accepted: UInt32
}

/// A host label or a segment of a URL.
struct MatchToken: BitwiseCopyable {
  let key: SegmentKey
  /// The start in the low 32 bits, then the end; the top bit is set if the text in the URL is not in normal form.
  private let place: UInt64

  @inline(__always)
  init(key: SegmentKey, start: Int, end: Int, isWritten: Bool) {
    self.key = key
    place =
      UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: end) &<< 32 | (isWritten ? 0 : 1 &<< 63)
  }

  @inline(__always) var start: Int { Int(truncatingIfNeeded: place & 0xFFFF_FFFF) }
  @inline(__always) var end: Int { Int(truncatingIfNeeded: place &>> 32 & 0x7FFF_FFFF) }
  /// Indicates whether the text in the URL is in normal form already.
  @inline(__always) var isPlain: Bool { place &>> 63 == 0 }
  /// Indicates whether the text is empty, by its length: the key of a long text is a hash, and can be any number.
  @inline(__always) var isEmpty: Bool { start == end }
  /// The bits of a `CapturedText` of a segment, whose mark of an encoded text is at the same place.
  @inline(__always) var captured: UInt64 { place }
}
