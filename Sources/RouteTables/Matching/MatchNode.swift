/// A node of the finished index: the number of a node is its place in the index's memory, in words.
///
/// Everything is a number: what stands where.
struct MatchNode: BitwiseCopyable {
  /// `special` of a node whose ways on are not so simple.
  static let several = UInt32.max
  /// `mask` of a node without texts.
  static let noTexts = UInt32.max

  /// The best shape that ends under the node; shapes are numbered in their order.
  var best = UInt32.max
  /// Where the node's table of texts stands, in words, and one less than its size, a power of two.
  var texts: UInt32 = 0
  var mask = Self.noTexts
  /// The only way on but texts, if that is any text; 0 if there is none.
  ///
  /// `several` if there are others. Of a scheme, the node whose texts are its whole authorities, if it has no others.
  var special: UInt32 = 0
  /// The ways on that are no texts, those with the best shapes in front.
  var branches: UInt32 = 0
  var branchCount: UInt32 = 0
  /// The shapes that end here, the best in front: where they stand, or, if there is one, itself.
  var shapes: UInt32 = 0
  var shapeCount: UInt32 = 0
}

/// A place of a node's table of texts; one without a node is free.
///
/// A text stands at the place of its key or after it, before the next place that is free.
struct MatchEdge: BitwiseCopyable {
  var key = SegmentKey.empty
  var node: UInt32 = 0
  /// Where in the pool a text stands that is not its own key, after its length; 0 for others.
  var text: UInt32 = 0
}

/// A way on that is no text.
struct MatchBranch: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// One text that is not empty.
    case any
    /// One text of a language.
    case one
    /// One text with something between its first bytes and its last.
    case affixes
    /// One text of a language with such first and last bytes.
    case affixesOne
    /// One text in any case of its letters: `node` has the table of them.
    case folded
    /// One or more texts.
    case rest
    /// As many labels as there are, be it none.
    case all
    /// A second rest, and `length` segments before it.
    case anchor

    /// Whether it takes one text, and needs nothing else of the URL to say so.
    @inline(__always) var takesOne: Bool { rawValue <= Kind.affixesOne.rawValue }
  }

  var kind: Kind
  var length: UInt16 = 0
  var language: UInt32
  var node: UInt32
  var best: UInt32
  /// Where the affixes stand in the pool: how long the first and the last are, then both.
  var affixes: UInt32 = 0
}

/// What a query, a fragment or the request must hold.
struct MatchTest: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case absent
    case present
    /// The first value is this text.
    case text
    /// The same of a text that is its own key, and has no space, `+` or `%`.
    case shortText
    /// The first value is of a language.
    case first
    /// Every value is of a language.
    case each
    /// What the request says is of a language.
    case condition
  }

  var kind: Kind
  /// The number of the key, or of the condition's name.
  var key: UInt32
  /// The language, or where the text begins in the pool.
  var value: UInt32
  /// How long the text is.
  var length: UInt32 = 0
  var text = SegmentKey.empty
}

/// What a shape asks for beyond its path, and where its captures stand.
struct MatchVariant: BitwiseCopyable {
  var route: UInt32
  var pattern: UInt32
  /// What the query, the fragment and the request must hold.
  var tests: UInt32 = 0
  var testCount: UInt16 = 0
  var conditionCount: UInt16 = 0
  /// Whether there is a test of the fragment, which stands after those of the query.
  var hasFragment = false
  var hasLiteralPlus = false
  /// Whether the path begins behind the scheme, whatever stands there.
  var isJoined = false
  var captureCount: UInt8 = 0
  /// Where its capture steps begin.
  var captures: UInt32 = 0
  /// How many captures in front are segments, and which, a byte each.
  var segmentCount: UInt8 = 0
  var segments: UInt64 = 0
}

/// An automaton of the index: where its parts stand in the arrays.
struct MatchLanguage: BitwiseCopyable {
  /// The class of a byte that stands for no character by itself, or not always.
  static let encoded = UInt16.max

  /// The classes of the 128 ASCII characters, then those of all bytes as they stand.
  var classes: UInt32
  var classCount: UInt32
  var transitions: UInt32
  /// Which states accept.
  var accepting: UInt32
  /// The runs of other scalars: first, last, class.
  var runs: UInt32
  var runCount: UInt32
  /// The state from which every text is taken; 0 if there is none.
  var accepted: UInt32
}

/// A label or a segment of a URL.
struct MatchToken: BitwiseCopyable {
  let key: SegmentKey
  /// The start, in 32 bits; the end; and in the top bit whether the text is not in normal form as it stands.
  private let place: UInt64

  @inline(__always)
  init(key: SegmentKey, start: Int, end: Int, isWritten: Bool) {
    self.key = key
    place =
      UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: end) &<< 32 | (isWritten ? 0 : 1 &<< 63)
  }

  @inline(__always) var start: Int { Int(truncatingIfNeeded: place & 0xFFFF_FFFF) }
  @inline(__always) var end: Int { Int(truncatingIfNeeded: place &>> 32 & 0x7FFF_FFFF) }
  /// Whether the text stands in the URL as it is in normal form.
  @inline(__always) var isPlain: Bool { place &>> 63 == 0 }
  @inline(__always) var isEmpty: Bool { key.low == 0 }
  /// Start and end in one number.
  @inline(__always) var range: UInt64 { place & 0x7FFF_FFFF_FFFF_FFFF }
}
