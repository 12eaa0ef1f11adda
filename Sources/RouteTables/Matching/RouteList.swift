// SPDX-License-Identifier: Apache-2.0
/// The texts of a catch-all `{x...}` or of a list `{x*}`, each decoded on access.
public struct RouteList: RandomAccessCollection, Sendable {
  private let url: String
  private let texts: [URLSlice]
  private let form: Normalization
  private let plain: [String]

  init(url: String, texts: [URLSlice], form: Normalization) {
    self.url = url
    self.texts = texts
    self.form = form
    plain = []
  }

  init(plain: [String]) {
    url = ""
    texts = []
    form = .path
    self.plain = plain
  }

  /// The index of the first text.
  public var startIndex: Int { 0 }
  /// The number of texts.
  public var endIndex: Int { texts.isEmpty ? plain.count : texts.count }

  /// Returns a text, decoded.
  public subscript(index: Int) -> String { texts.isEmpty ? plain[index] : form.string(texts[index], in: url) }
}
