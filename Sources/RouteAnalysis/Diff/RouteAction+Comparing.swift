// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension RouteAction {
  /// Returns whether two actions have the same effect, given the positions of their captures.
  ///
  /// - Parameters:
  ///   - place: returns the position of a capture of this action's route.
  ///   - otherPlace: returns the position of a capture of the other action's route.
  ///   - names: the names of all captures of both routes.
  func hasSameEffect(
    as other: RouteAction, offset: (String) -> CaptureOffset, otherOffset: (String) -> CaptureOffset,
    named names: [String]
  ) -> Bool {
    switch (self, other) {
    case (.exec(let own), .exec(let others)):
      own.count == others.count
        && zip(own, others).allSatisfy { $0.hasSameTexts(as: $1, offset: offset, otherOffset: otherOffset) }
    case (.rewrite(let own), .rewrite(let other)):
      own.hasSameTexts(as: other, offset: offset, otherOffset: otherOffset)
    // A handler may read every capture.
    case (.handler, .handler): self == other && Set(names).allSatisfy { offset($0) == otherOffset($0) }
    default: self == other
    }
  }
}

extension ActionTemplate {
  /// Returns whether both templates are always filled with equal texts.
  fileprivate func hasSameTexts(
    as other: ActionTemplate, offset: (String) -> CaptureOffset, otherOffset: (String) -> CaptureOffset
  ) -> Bool {
    guard isURL == other.isURL, dropping == other.dropping, unwrapping == other.unwrapping,
      comesFirst == other.comesFirst,
      elements.count == other.elements.count
    else {
      return false
    }
    return zip(elements, other.elements).allSatisfy { element, other in
      switch (element, other) {
      case (.byte(let one), .byte(let other)): return one == other
      case (.hole(let hole), .hole(let other)):
        guard hole.defaultValue.map({ Array($0.utf8) }) == other.defaultValue.map({ Array($0.utf8) }) else {
          return false
        }
        switch (hole.filling, other.filling) {
        case (.capture(let name), .capture(let otherName)): return offset(name) == otherOffset(otherName)
        case (.url, .url), (.source, .source): return true
        case (.part(let part), .part(let otherPart)): return part == otherPart
        default: return false
        }
      default: return false
      }
    }
  }
}
