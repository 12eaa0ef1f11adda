/// What a capture of the winner took.
public struct ExplainedCapture: Hashable, Sendable, CustomStringConvertible {
  /// The capture, as the pattern declares it.
  public let capture: RouteCapture
  /// Its text: its default if it is absent; `nil` if it has none, and where it is not shown.
  public let text: String?
  /// Whether its text is not shown, since it may be secret.
  public let isSecret: Bool
  /// Whether the text is its default.
  public let isDefault: Bool
  /// Where in the URL it stands, in bytes from 0, one run for each text; of a part of a segment, the segment.
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
  /// The text between quotes, which in it are escaped.
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
  /// What the captures took of a URL that fits, and what is to be said of it.
  func captures(_ mask: SecretMask) -> (captures: [ExplainedCapture], notes: [NormalizationNote]) {
    let slots = CaptureReader.slots(of: pattern, form, in: reading.url)
    var (captures, notes) = ([ExplainedCapture](), [NormalizationNote]())
    for (number, capture) in pattern.captures.enumerated() {
      let ranges = capturedRanges.filter { $0.captures.contains(number) }.map(\.range)
      let slot = number < slots.count ? slots[number] : nil
      // What reads as absent has no text of the URL.
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

  /// What a person may not expect of the items that the pattern reads.
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
