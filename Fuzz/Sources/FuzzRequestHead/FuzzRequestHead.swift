// SPDX-License-Identifier: Apache-2.0
internal import Fuzzing

/// The input is what a browser or another program sends to the port of a sign-in.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRequestHead(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(FuzzInput(start, count).bytes)
  let more = bytes + Array("X: y\r\n\r\n".utf8)
  let head: HTTPRequestHead?
  do throws(HTTPRequestHead.Failure) { head = try HTTPRequestHead.read(bytes) } catch {
    promise((try? HTTPRequestHead.read(more)) == nil, "bytes that follow repair a head")
    return 0
  }
  guard let head else {
    promise(bytes.count <= HTTPRequestHead.limit, "an endless head is waited for")
    return 0
  }
  promise((try? HTTPRequestHead.read(more)) == head, "bytes that follow belong to a head")
  promise(head.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(head.target) is not visible")
  promise(!head.method.isEmpty && !head.target.isEmpty, "a request names a method and a target")
  promise(head.fields.count <= HTTPRequestHead.maximumFields, "\(head.fields.count) fields")
  for field in head.fields {
    promise(
      !field.name.isEmpty && field.name == field.name.lowercased() && !field.name.contains(":"),
      "\(field.name) is no name")
    promise(!field.value.utf8.contains { [0, 10, 13].contains($0) }, "\(field.value) has several lines")
  }
  let fields = head.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
  let written = Array("\(head.method) \(head.target) HTTP/1.1\r\n\(fields)\r\n".utf8)
  guard written.count <= HTTPRequestHead.limit else { return 0 }
  promise((try? HTTPRequestHead.read(written)) == head, "a head is read as it was written")
  return 0
}
