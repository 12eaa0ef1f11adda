/// What a capture took of a URL.
enum CaptureSlot {
  /// A run of the URL.
  case text(URLSlice, Normalization)
  /// A part of a segment, decoded.
  case part(String)
  /// The texts of a rest or a list, with what joins those of a rest.
  case texts([URLSlice], Normalization, joiner: String?)

  func string(in url: String) -> String {
    switch self {
    case .text(let text, let form): return form.string(text, in: url)
    case .part(let text): return text
    case .texts(let texts, let form, let joiner):
      guard let joiner else { return texts.first.map { form.string($0, in: url) } ?? "" }
      return texts.map { form.string($0, in: url) }.joined(separator: joiner)
    }
  }
}

extension Normalization {
  /// The text in normal form.
  func string(_ text: URLSlice, in url: String) -> String {
    String(decoding: decode(text, of: url.utf8.span), as: UTF8.self)
  }
}
