import Foundation

// Notes as a plain program in Swift, without libraries of Usher: it is started for each link, prints the request, and
// exits.

/// Usher's envelope of the request for which this program was started; empty if another opener started it.
func envelope(for id: String) -> [String: Any] {
  guard let path = ProcessInfo.processInfo.environment["USHER_ENVELOPE"],
    let data = FileManager.default.contents(atPath: path),
    let request = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
    // Child processes inherit the variable, so check that the file is for this process.
    request["application"] as? String == id
  else { return [:] }
  return request
}

let urls = Array(CommandLine.arguments.dropFirst())
var line = envelope(for: "org.example.SwiftNotes")
line["urls"] = urls
line["pid"] = Int(getpid())
print(String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self))

// A caller that waits for `handled` learns of the failure from the exit status.
exit(urls.contains { $0.hasSuffix("missing") } ? 1 : 0)
