// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The names of the functions of this program, from the symbol table of its file (ELF, `.symtab`).
///
/// A stripped program has none.
struct SymbolNames: ~Copyable {
  private let file: UnsafeRawBufferPointer
  private let names: Range<Int>

  /// Maps the file of this program; `nil` if it has no symbol table.
  init?() {
    let descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 64,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    let file = UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
    guard let names = Self.names(in: file) else {
      munmap(start, file.count)
      return nil
    }
    self.file = file
    self.names = names
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: file.baseAddress), file.count) }

  /// Finds the string table of the symbol table in a 64-bit file; `nil` if it is absent or lies outside of the file.
  private static func names(in file: UnsafeRawBufferPointer) -> Range<Int>? {
    func read<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Int? {
      guard offset >= 0, offset <= file.count - MemoryLayout<Value>.size else { return nil }
      return Int(exactly: file.loadUnaligned(fromByteOffset: offset, as: type))
    }
    guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2]), let table = read(UInt64.self, at: 0x28),
      let size = read(UInt16.self, at: 0x3A), let count = read(UInt16.self, at: 0x3C), table < file.count
    else { return nil }
    for index in 0..<count {
      let section = table + index * size
      guard read(UInt32.self, at: section + 4) == 2, let link = read(UInt32.self, at: section + 0x28),
        link < count, let start = read(UInt64.self, at: table + link * size + 0x18),
        let length = read(UInt64.self, at: table + link * size + 0x20), start < file.count,
        length <= file.count - start
      else { continue }
      return start..<start + length
    }
    return nil
  }

  /// Returns the names that begin with a prefix.
  func names(beginningWith prefix: String) -> [String] {
    guard let start = file.baseAddress else { return [] }
    let prefix = Array(prefix.utf8)
    var found: [String] = []
    var position = names.lowerBound
    while position < names.upperBound {
      let name = start + position
      let length = strnlen(name.assumingMemoryBound(to: CChar.self), names.upperBound - position)
      if length >= prefix.count, memcmp(name, prefix, prefix.count) == 0 {
        found.append(String(decoding: UnsafeRawBufferPointer(start: name, count: length), as: UTF8.self))
      }
      position += length + 1
    }
    return found
  }
}

/// Returns the declaration that a mangled name stands for; `nil` if it is not a Swift name.
func demangled(_ name: String) -> String? {
  var name = name
  return name.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return nil }
    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      guard let text = demangle($0, length: bytes.count, buffer: nil, size: nil, flags: 0) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
  }
}

/// The demangler of Swift's runtime.
@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>, length: Int, buffer: UnsafeMutablePointer<CChar>?,
  size: UnsafeMutablePointer<Int>?, flags: UInt32
) -> UnsafeMutablePointer<CChar>?
