// SPDX-License-Identifier: Apache-2.0
internal import BusInterfaces
internal import DBus
internal import Fuzzing

/// The input is JSON: an annotation, an envelope, a reply, or the options of a request.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzMessage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = FuzzInput(start, count).text
  if let list = try? PropertyList(json: text) {
    promise(list.encodedSize <= PropertyList.maximumSize, "what is read is within the limits")
    promise((try? PropertyList(json: list.json)) == list, "an annotation that is printed reads back: \(list)")
    promise((try? PropertyList(list.variant)) == list, "and so it does from the bus: \(list)")
  }
  if let envelope = try? Envelope(json: text) {
    promise((try? Envelope(json: envelope.json)) == envelope, "an envelope that is printed reads back")
    promise((try? Envelope(envelope.entries)) == envelope, "and so it does from the bus")
  }
  if let reply = try? Reply(json: text) {
    promise((try? Reply(json: reply.json)) == reply, "a reply that is printed reads back")
  }
  guard let entries = try? [String: Variant](json: text), let options = try? OpenOptions(entries) else {
    return 0
  }
  promise((try? OpenOptions(options.entries))?.entries == options.entries, "options read back: \(options)")
  promise(OpenOptions.timeoutRange.contains(Int64(options.timeout / .microseconds(1))), "\(options.timeout)")
  return 0
}
