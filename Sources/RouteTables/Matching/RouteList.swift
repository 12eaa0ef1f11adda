/// The texts of a rest `{x...}` or of a list `{x*}`, each decoded when it is asked for.
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
  /// How many texts there are.
  public var endIndex: Int { texts.isEmpty ? plain.count : texts.count }

  /// A text, decoded.
  public subscript(index: Int) -> String { texts.isEmpty ? plain[index] : form.string(texts[index], in: url) }
}
