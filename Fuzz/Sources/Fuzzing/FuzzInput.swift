// SPDX-License-Identifier: Apache-2.0
/// The input from libFuzzer.
public struct FuzzInput {
  /// The bytes.
  public let bytes: UnsafeRawBufferPointer

  /// The arguments of `LLVMFuzzerTestOneInput`.
  public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
  }

  /// The bytes as text, with invalid UTF-8 replaced.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
