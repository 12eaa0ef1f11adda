/// The literals of a table, each with a number, so that the index compares numbers.
struct SymbolTable: Sendable {
  /// The number of a literal; `none` is that of every text no route writes.
  typealias Symbol = UInt32
  static let none: Symbol = 0

  private var literals: [[UInt8]] = []
  /// Open addressing with linear probing; a power of two long, at most half full; 0 is a free place.
  private var places: [Symbol] = Array(repeating: SymbolTable.none, count: 16)

  /// The number of `literal`, given now if it has none yet.
  mutating func intern(_ literal: [UInt8]) -> Symbol {
    if literals.count * 2 >= places.count { grow() }
    var place = start(of: Self.hash(literal))
    while places[place] != Self.none {
      if literals[Int(places[place]) - 1] == literal { return places[place] }
      place = (place + 1) & (places.count - 1)
    }
    literals.append(literal)
    places[place] = Symbol(literals.count)
    return places[place]
  }

  /// The literal of a number that was given.
  subscript(symbol: Symbol) -> [UInt8] { literals[Int(symbol) - 1] }

  /// The number of a URL's text in normal form.
  func symbol(of text: URLText, in bytes: borrowing Span<UInt8>, form: TextForm) -> Symbol {
    var hash = Self.seed
    var position = text.range.lowerBound
    while position < text.range.upperBound { Self.mix(&hash, form.next(bytes, &position)) }
    var place = start(of: hash)
    while places[place] != Self.none {
      if form.equals(text, of: bytes, literals[Int(places[place]) - 1]) { return places[place] }
      place = (place + 1) & (places.count - 1)
    }
    return Self.none
  }

  private mutating func grow() {
    places = Array(repeating: Self.none, count: places.count * 2)
    for (index, literal) in literals.enumerated() {
      var place = start(of: Self.hash(literal))
      while places[place] != Self.none { place = (place + 1) & (places.count - 1) }
      places[place] = Symbol(index + 1)
    }
  }

  private func start(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (places.count - 1)
  }

  // FNV-1a, 64 bits.
  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func mix(_ hash: inout UInt64, _ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  private static func hash(_ literal: [UInt8]) -> UInt64 {
    var hash = seed
    for byte in literal { mix(&hash, byte) }
    return hash
  }
}
