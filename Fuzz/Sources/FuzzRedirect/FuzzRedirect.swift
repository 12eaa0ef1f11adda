// SPDX-License-Identifier: Apache-2.0
internal import BrokerCore
internal import Fuzzing
internal import RouteTables

/// The input is a link of another machine, which may be an authorization request with a redirect to a port of that machine.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzRedirect(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let url = try? URLString(FuzzInput(start, count).text) else { return 0 }
  let reading = LoopbackRedirect.Reading(url)
  promise(reading == LoopbackRedirect.Reading(url), "one link has one reading")
  guard case .redirect(let redirect) = reading else { return 0 }
  promise(redirect.port >= 1_024, "\(redirect.port) belongs to a service")
  promise(
    redirect.path.utf8.first == UInt8(ascii: "/")
      && redirect.path.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#".utf8.contains($0) },
    "\(redirect.path) is no path of a request")
  promise(!redirect.path.split(separator: "/").contains(".."), "a browser would change \(redirect.path)")
  for text in [redirect.client, redirect.state] {
    promise(!text.isEmpty && text.utf8.count <= 2_048, "client and state are short texts")
  }
  // What follows a redirect cannot be another one, however it is encoded.
  let end = url.text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? url.text.endIndex
  for other in ["redirect_uri=http://[::1]:9/", "x=redirect_uri%3Dhttps%3A%2F%2F127.1%2F"] {
    guard let both = try? URLString(url.text[..<end] + "&\(other)" + url.text[end...]) else { continue }
    guard case .refused = LoopbackRedirect.Reading(both) else {
      promise(false, "\(both.text) has two redirects")
      continue
    }
  }
  return 0
}
