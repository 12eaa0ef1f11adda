import Foundation

// Notes as a plain program, in Swift and without any library of Usher's: it is started for each link, says what it
// knows of it, and ends.

/// What Usher knows of the request that this program was started for; nothing where another opener started it.
func envelope(for id: String) -> [String: Any] {
  guard let path = ProcessInfo.processInfo.environment["USHER_ENVELOPE"],
    let data = FileManager.default.contents(atPath: path),
    let request = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
    // A program that was started for a link hands the variable on to what it starts itself.
    request["application"] as? String == id
  else { return [:] }
  return request
}

let urls = Array(CommandLine.arguments.dropFirst())
var line = envelope(for: "org.example.SwiftNotes")
line["urls"] = urls
line["pid"] = Int(getpid())
print(String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self))

// Whoever waits for `handled` learns that this failed, by the exit status.
exit(urls.contains { $0.hasSuffix("missing") } ? 1 : 0)
