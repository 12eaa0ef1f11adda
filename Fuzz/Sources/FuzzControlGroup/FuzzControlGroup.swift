// SPDX-License-Identifier: Apache-2.0
internal import BrokerCore
internal import Freedesktop
internal import Fuzzing

private let manager = "/user.slice/user-1000.slice/user@1000.service/"
private let liar = ApplicationID("org.example.Liar" as String)

/// The input is a process's cgroup file, then a cgroup path below the user manager, then a security label.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzControlGroup(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = FuzzInput(start, count).text
  check(ControlGroup(text: text, user: 1_000), text, label: nil)
  let line = text.filter { $0 != "\n" }
  for slice in ["", "app.slice/"] {
    let group = ControlGroup(text: "0::\(manager)\(slice)\(line)\n", user: 1_000)
    check(group, line, label: text)
    if let unit = group.userUnit {
      let below = ControlGroup(text: "0::\(manager)\(slice)\(line)/app-forged-1.scope\n", user: 1_000)
      promise(below.userUnit == unit, "\(line): a group below is another unit: \(below.userUnit ?? "-")")
      promise(below.isApplication == group.isApplication, "\(line): a group below is in another slice")
    }
  }
  promise(ControlGroup(text: "0::/\(line)\n", user: 1_001).userUnit == nil || line.contains("1001"), line)
  return 0
}

private func check(_ group: ControlGroup, _ text: String, label: String?) {
  if let unit = group.userUnit {
    promise(!unit.isEmpty && !unit.contains("/"), "\(text): \(unit) is no unit")
  } else {
    promise(!group.isApplication, "\(text): no unit is an application's")
  }
  for snap in [group.snap, label.flatMap { SnapName(enforcedLabel: $0) }, SnapName(group: text)] {
    promise(snap?.applicationID?.rawValue.contains("/") != true, "\(text): \(String(describing: snap))")
  }
  for isInstalled in [true, false] {
    let facts = CallerCredentials(securityLabel: label, group: group)
    let source = identify(facts, nil, isInstalled)
    promise((source.id == nil) == (source.assurance == .unknown), "\(text): \(source)")
    promise(source.id?.rawValue.contains { $0 == "/" || $0 == "\0" } != true, "\(text): \(source)")
    promise(
      isInstalled || source.id == nil || source.assurance == .sandbox, "\(text): \(source) is not there")
    let claimed = identify(facts, liar, isInstalled)
    promise(
      source.id == nil || claimed == source || claimed.id == liar && isPart(source), "\(text): \(claimed)")
    promise(claimed.mayBeSandboxed == source.mayBeSandboxed, "\(text): a claim leaves the sandbox")
    promise(
      !source.mayBeSandboxed || claimed == source || isPart(source), "\(text): \(claimed) from a sandbox")
  }
}

private func isPart(_ source: SourceApplication) -> Bool {
  guard let id = source.id?.rawValue else { return false }
  return liar?.rawValue.hasPrefix("\(id).") == true
}

private func identify(
  _ facts: CallerCredentials, _ claim: ApplicationID?, _ isInstalled: Bool
) -> SourceApplication {
  SourceApplication.identify(facts, claim: claim, isInstalled: { _ in isInstalled }, owners: { _ in [] })
}
