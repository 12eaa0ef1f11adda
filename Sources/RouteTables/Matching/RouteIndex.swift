// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// The encoded index over complete URLs: a trie in one block of memory.
@usableFromInline
package final class RouteIndex: Sendable {
  private let memory: ContiguousArray<UInt64>
  /// The names of the captures, one for each capture step.
  let captureNames: [String]
  /// The names of the conditions.
  let conditions: [String]
  /// The languages of the conditions, by number.
  let conditionLanguages: [Int: RegularLanguage]
  /// The number of variants.
  package let variantCount: Int
  /// The variants of patterns that do not have exactly one, by place in the order of precedence.
  ///
  /// The others are made from their patterns when they are needed, so that a table of many routes is small.
  private let forms: [Int: PatternVariant]
  /// The ranges of consecutive variants that share a scheme.
  package let stretches: [SchemeRange]
  /// Indicates whether a route has secret captures.
  package let hasSecrets: Bool
  /// Indicates whether a route has `wins_over` rules.
  package let hasWinsOver: Bool
  /// The largest number of nodes that one segment of a URL is compared with: `W` in the documented cost.
  let width: Int

  /// The parts of an index, as it is encoded.
  struct Parts {
    var memory: ContiguousArray<UInt64>
    var captureNames: [String]
    var conditions: [String]
    var conditionLanguages: [Int: RegularLanguage]
    var forms: [Int: PatternVariant]
    var stretches: [SchemeRange]
    var width: Int
  }

  /// Creates an index for the routes.
  init(_ parts: Parts, routes: [RouteRecord]) {
    memory = parts.memory
    captureNames = parts.captureNames
    conditions = parts.conditions
    conditionLanguages = parts.conditionLanguages
    forms = parts.forms
    stretches = parts.stretches
    variantCount = parts.stretches.last?.places.upperBound ?? 0
    hasSecrets = routes.contains { !$0.secretCaptures.isEmpty }
    hasWinsOver = routes.contains { !$0.winsOver.isEmpty }
    width = parts.width
  }

  /// Returns the variant at a place in the order of precedence, which is a variant of `pattern`.
  package func form(at place: Int, of pattern: RoutePattern) -> PatternVariant {
    forms[place] ?? PatternExpansion.only(of: pattern)
  }

  /// Returns the schemes under which a variant does not match.
  func excludedSchemes(of place: Int) -> [String] { forms[place]?.excludedSchemes ?? [] }

  /// Calls `body` with a view of the memory, which is valid only during the call.
  @inline(__always)
  func withView<Result>(_ body: (borrowing RouteIndexView) -> Result, orElse other: Result) -> Result {
    memory.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return other }
      return body(RouteIndexView(base, Unmanaged.passUnretained(self)))
    }
  }
}

/// The start of an index's memory: the byte offsets of its arrays, and the numbers of a few nodes.
struct IndexHeader: BitwiseCopyable {
  var branches = 0
  /// The variants that end in nodes; the top bit is set if the variant has no requirements beyond its path.
  var ends = 0
  var shapes = 0
  var tests = 0
  var languages = 0
  var automata = 0
  var runs = 0
  var pool = 0
  var captureSteps = 0
  /// The node whose edges are the schemes.
  var root: UInt32 = 0
  /// The node whose table maps the query keys to their numbers.
  var keys: UInt32 = 0
  /// The node of the paths that match under any scheme and host; 0 if there is none.
  var barePaths: UInt32 = 0
  /// The node of the paths without a slash in front that hold under any scheme; 0 if there is none.
  var opaquePaths: UInt32 = 0
  /// Indicates whether a query key contains a literal `+`.
  var keysHavePlus = false

  static let words = (MemoryLayout<IndexHeader>.size + 7) / 8
}

/// A view of an index's memory, valid during one call of `withView`.
struct RouteIndexView {
  private let base: UnsafeRawPointer
  private let owner: Unmanaged<RouteIndex>

  @inline(__always)
  init(_ base: UnsafeRawPointer, _ owner: Unmanaged<RouteIndex>) {
    self.base = base
    self.owner = owner
  }

  @inline(__always) var header: UnsafePointer<IndexHeader> { base.assumingMemoryBound(to: IndexHeader.self) }

  @inline(__always)
  func node(_ number: UInt32) -> UnsafePointer<MatchNode> {
    (base + Int(number) &* 8).assumingMemoryBound(to: MatchNode.self)
  }

  /// Returns the table of a node's literal edges.
  @inline(__always)
  func texts(of node: UnsafePointer<MatchNode>) -> UnsafePointer<MatchEdge> {
    (base + Int(node.pointee.texts) &* 8).assumingMemoryBound(to: MatchEdge.self)
  }

  @inline(__always) var branches: UnsafePointer<MatchBranch> { array(header.pointee.branches) }
  @inline(__always) var ends: UnsafePointer<UInt32> { array(header.pointee.ends) }
  @inline(__always) var shapes: UnsafePointer<MatchVariant> { array(header.pointee.shapes) }
  @inline(__always) var tests: UnsafePointer<MatchTest> { array(header.pointee.tests) }
  @inline(__always) var languages: UnsafePointer<MatchLanguage> { array(header.pointee.languages) }
  @inline(__always) var automata: UnsafePointer<UInt16> { array(header.pointee.automata) }
  @inline(__always) var runs: UnsafePointer<UInt32> { array(header.pointee.runs) }
  @inline(__always) var pool: UnsafePointer<UInt8> { array(header.pointee.pool) }
  @inline(__always) var captureSteps: UnsafePointer<CaptureStep> { array(header.pointee.captureSteps) }

  @inline(__always)
  private func array<Element: BitwiseCopyable>(_ start: Int) -> UnsafePointer<Element> {
    (base + start).assumingMemoryBound(to: Element.self)
  }

  /// The index, for the names and languages of the conditions, which are outside its memory.
  var index: RouteIndex { owner.takeUnretainedValue() }
}
