// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Testing

@Suite struct `A keyed digest` {
  /// The vectors of the reference implementation: key 00 to 0f, input 00, 01, 02 and so on.
  @Test(arguments: [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
    (8, "3b62a9ba6258f5610f83e264f31497b4"), (63, "5150d1772f50834a503e069a973fbd7c"),
  ])
  func `is that of the reference implementation`(count: Int, expected: String) {
    var digest = KeyedDigest(key: Array(0..<16))
    digest.add((0..<count).map { UInt8($0) })
    #expect(digest.hexadecimal() == expected)
  }

  @Test func `differs for texts that are split differently`() {
    var one = KeyedDigest(key: [])
    var other = KeyedDigest(key: [])
    for text in ["ab", "c"] { one.add(text: text) }
    for text in ["a", "bc"] { other.add(text: text) }
    #expect(one.finish() != other.finish())
  }
}
