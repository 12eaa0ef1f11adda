// SPDX-License-Identifier: Apache-2.0
/// The text that a capture matches in a URL.
package enum CaptureSlot {
  /// A range of bytes of the URL.
  case text(URLSlice, Normalization)
  /// A decoded part of a segment.
  case part(String)
  /// The texts of a catch-all or a list, and the separator that joins those of a catch-all; `nil` for a list.
  case texts([URLSlice], Normalization, joiner: String?)

  package func string(in url: String) -> String {
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
  /// Returns `text` in normal form.
  func string(_ text: URLSlice, in url: String) -> String {
    String(decoding: decode(text, of: url.utf8.span), as: UTF8.self)
  }
}
