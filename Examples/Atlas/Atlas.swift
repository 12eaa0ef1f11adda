import FoundationEssentials
import Glibc
import Scenes

/// An atlas that fetches its maps in the background, and is started when a map has arrived.
///
/// A link such as `atlas:map?name=alps&url=https://example.org/alps.zip` adds a map. It prints a line for each event.
@main
struct Atlas: ApplicationDelegate {
  func application(_ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?) async
    -> Bool
  {
    if let names = options?[.newsstandDownloads] {
      Self.report("started for \(names.joined(separator: ", "))")
    }
    // Without usher-triggers there is no progress, and an added map fails with the reason.
    if let progress = try? await application.downloads.progress() {
      Task {
        for await step in progress {
          let total = step.countOfBytesExpectedToReceive.map { " of \($0)" } ?? ""
          Self.report("\(step.identifier): \(step.countOfBytesReceived)\(total) bytes")
        }
      }
    }
    return true
  }

  func application(_ application: Application, open url: URL, options: OpenURLOptions) async throws -> Bool {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    guard let name = value("name"), let url = value("url").flatMap(DownloadURL.init) else { return false }
    var request = DownloadRequest(identifier: name, url: url)
    request.session = "maps"
    let task = try await application.downloads.add(request)
    Self.report("fetching \(task.identifier) to \(task.file)")
    return true
  }

  func application(_ application: Application, didFinish download: FinishedDownload) async throws {
    switch download.outcome {
    case .completed: Self.report("\(download.identifier) has arrived: \(download.file ?? "")")
    case .failed: Self.report("\(download.identifier) has failed: \(download.error ?? "")")
    case .cancelled: Self.report("\(download.identifier) was cancelled")
    }
  }

  private static func report(_ line: String) {
    print(line)
    fflush(nil)
  }

  static func main() async {
    do {
      try await SceneApplication("org.example.Atlas").run(delegate: Atlas())
    } catch {
      let sentence = "atlas: \(error)\n"
      write(STDERR_FILENO, sentence, sentence.utf8.count)
      exit(1)
    }
  }
}
