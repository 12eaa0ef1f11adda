/// Where in a URL a capture's text stands, and how it is read.
struct CaptureSlot: Sendable {
  let text: URLText
  let form: TextForm

  /// The text in normal form.
  func text(in url: String) -> String {
    String(decoding: form.decode(text, of: url.utf8.span), as: UTF8.self)
  }

  /// What each capture of `pattern` takes of a URL that it matches.
  static func slots(
    of pattern: RoutePattern, in parts: URLParts, _ bytes: borrowing Span<UInt8>
  ) -> [CaptureSlot?] {
    if pattern.captures.isEmpty { return [] }
    var slots: [CaptureSlot?] = []
    for (label, text) in zip(pattern.authority?.labels ?? [], parts.authority?.labels ?? [])
    where label.capture != nil {
      slots.append(CaptureSlot(text: text, form: .host))
    }
    for (segment, text) in zip(pattern.segments, parts.segments) where segment.capture != nil {
      slots.append(CaptureSlot(text: text, form: .path))
    }
    for item in pattern.query {
      guard let capture = item.value?.capture else { continue }
      let text = first(item.key, in: parts, bytes)
      slots.append(slot(text, parts.queryForm, for: capture, bytes))
    }
    if let capture = pattern.fragment?.capture {
      slots.append(slot(parts.fragment, .path, for: capture, bytes))
    }
    return slots
  }

  /// A text outside the type reads as absent: only an optional capture can meet one.
  private static func slot(
    _ text: URLText?, _ form: TextForm, for capture: RouteCapture, _ bytes: borrowing Span<UInt8>
  ) -> CaptureSlot? {
    guard let text, form.takes(text, of: bytes, as: capture.type) else { return nil }
    return CaptureSlot(text: text, form: form)
  }

  private static func first(
    _ key: [UInt8], in parts: URLParts, _ bytes: borrowing Span<UInt8>
  ) -> URLText? {
    var cursor = parts.query.map { QueryCursor($0) }
    while let item = cursor?.next(bytes) {
      if parts.queryForm.equals(item.key, of: bytes, key) { return item.value ?? item.noValue }
    }
    return nil
  }
}
