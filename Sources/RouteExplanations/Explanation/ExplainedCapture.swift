// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// A capture of the winning pattern and its text.
public struct ExplainedCapture: Hashable, Sendable, CustomStringConvertible {
  /// The capture as declared in the pattern.
  public let capture: RouteCapture
  /// The text or default of the capture; `nil` if it is absent without a default, or secret.
  public let text: String?
  /// Indicates whether the text is omitted because it may be secret.
  public let isSecret: Bool
  /// Indicates whether the text is the default of the capture.
  public let isDefault: Bool
  /// The byte ranges of the texts in the URL, from 0; for a part of a segment, the range of the segment.
  public let ranges: [Range<Int>]

  /// The name and the value.
  public var description: String {
    if isSecret { return "\(capture.name): not shown" }
    guard let text else { return "\(capture.name): absent" }
    let isText = capture.type.conversion == .text || capture.extent != .single
    return "\(capture.name) = \(isText ? text.quotedForReading : text)\(isDefault ? " (its default)" : "")"
  }
}

extension String {
  /// The text in quotation marks, shortened, with quotation marks and backslashes escaped.
  fileprivate var quotedForReading: String {
    var text = "\""
    for scalar in shortened.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}

extension PatternComparison {
  /// Returns the captures of a URL that matches, and the notes about their texts.
  func captures(_ mask: SecretMask) -> (captures: [ExplainedCapture], notes: [NormalizationNote]) {
    let slots = CaptureReader.slots(of: pattern, form, in: reading.url)
    var (captures, notes) = ([ExplainedCapture](), [NormalizationNote]())
    for (number, capture) in pattern.captures.enumerated() {
      let ranges = capturedRanges.filter { $0.captures.contains(number) }.map(\.range)
      let slot = number < slots.count ? slots[number] : nil
      // An absent capture has no text in the URL that could be secret.
      let isSecret = slot != nil && ranges.contains(where: mask.hides)
      let text = slot?.string(in: reading.url)
      captures.append(
        ExplainedCapture(
          capture: capture, text: isSecret ? nil : text ?? capture.defaultValue, isSecret: isSecret,
          isDefault: text == nil && capture.defaultValue != nil, ranges: slot == nil ? [] : ranges))
      if slot == nil, let first = ranges.first {
        notes.append(.outsideType(capture, found: mask.shown(first, of: reading.url).shortened))
      } else if case .texts(let texts, _, nil)? = slot, texts.count < ranges.count {
        notes.append(.leftOut(capture, count: ranges.count - texts.count))
      }
    }
    return (captures, notes + queryNotes)
  }

  /// Notes about query items that the pattern reads in a way that the user may not expect.
  private var queryNotes: [NormalizationNote] {
    var notes: [NormalizationNote] = []
    let isLiteral = pattern.options.plus == .literal
    let items = isLiteral ? reading.literalItems : reading.items
    let bytes = Array(reading.url.utf8)
    var hasPlus = false
    for item in pattern.query {
      guard let part = item.value else { continue }
      let own = items.filter { $0.key.text == item.key }
      let isList = part.wholeCapture.map { pattern.captures[$0].extent == .list } ?? false
      if own.count > 1, !isList { notes.append(.laterItems(String(decoding: item.key, as: UTF8.self))) }
      hasPlus = hasPlus || own.contains { bytes[$0.value.range].contains(UInt8(ascii: "+")) }
    }
    if hasPlus, !isLiteral, reading.parts.queryForm == .form { notes.append(.plusIsSpace) }
    return notes
  }
}
