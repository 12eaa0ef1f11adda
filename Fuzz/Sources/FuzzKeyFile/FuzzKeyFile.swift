// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import Fuzzing

/// The first line of the input is a value to write; the rest is a desktop entry or an association file.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzKeyFile(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(FuzzInput(start, count).bytes)
  let parts = input.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
  let text = String(decoding: parts.first ?? [], as: UTF8.self)
  let bytes = parts.count > 1 ? Array(parts[1]) : input
  let file = KeyFile(bytes: bytes)
  promise(file.bytes == bytes, "what is not edited stays byte for byte")
  let lines = bytes.count { $0 == 10 } + 1
  for diagnostic in file.diagnostics { promise((1...lines).contains(diagnostic.line), "\(diagnostic)") }
  _ = DesktopEntry(file: file).actions()

  promise(KeyFile.string(KeyFile.raw(text)) == text, "a text that is written reads back: \(text)")
  let items = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  promise(KeyFile.list(KeyFile.raw(list: items)) == items, "a list that is written reads back: \(items)")
  edit(file, text)
  return 0
}

private func edit(_ file: KeyFile, _ text: String) {
  let group = "Default Applications"
  let key = "x-scheme-handler/notes"
  var edited = file
  guard (try? edited.set(key, to: text, in: group)) != nil else {
    return promise(edited == file, "what is refused changes nothing")
  }
  promise(edited.value(of: key, in: group) == text, "the value is there: \(text)")
  promise(KeyFile(bytes: edited.bytes).value(of: key, in: group) == text, "and is read back: \(text)")
  let others = file.keys(in: "Desktop Entry")
  promise(edited.keys(in: "Desktop Entry") == others, "other groups keep their keys")
  edited.remove(key, in: group)
  promise(edited.value(of: key, in: group) == nil, "it is gone")
}
