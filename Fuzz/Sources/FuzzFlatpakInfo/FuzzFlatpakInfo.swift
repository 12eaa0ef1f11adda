// SPDX-License-Identifier: Apache-2.0
internal import BrokerCore
internal import Freedesktop
internal import Fuzzing

/// The input is the `/.flatpak-info` of a sandbox.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzFlatpakInfo(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(FuzzInput(start, count).bytes)
  let info = FlatpakInfo(bytes: bytes)
  promise(info == FlatpakInfo(bytes: bytes), "the same file says the same")
  if let id = info.application {
    promise(id.busName == id.rawValue && !id.rawValue.contains("/"), "\(id) is no application of Flatpak's")
  }
  if let instance = info.instance {
    promise(
      !instance.isEmpty && !instance.contains { ".".contains($0) || $0 == "/" }, "\(instance) is a path")
  }
  for isConfirmed in [true, false] {
    let facts = CallerCredentials(confinement: .flatpak(info, isConfirmed: isConfirmed))
    for claim in [nil, ApplicationID("org.example.Liar" as String)] {
      let source = SourceApplication.identify(
        facts, claim: claim, isInstalled: { _ in true }, owners: { _ in [] })
      promise(source.mayBeSandboxed, "\(source) is outside")
      promise(isConfirmed || source.assurance != .sandbox, "\(source) is believed")
      let isOwn =
        source.id == info.application
        || info.application.map { source.id?.rawValue.hasPrefix("\($0.rawValue).") ?? false } ?? false
      promise(isOwn, "\(source) has the ID of another application")
    }
  }
  return 0
}
