// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import Glibc

/// A reader of the lists of profiles, which knows where each packaging of a browser stores them.
///
/// - Flatpak: below `~/.var/app/ID`, where `config` is `$XDG_CONFIG_HOME` and a directory that the application declares as
///   persistent is in its home directory (flatpak-run(1), flatpak-metadata(5) `persistent`).
/// - Snap: below `~/snap/INSTANCE/common` or `~/snap/INSTANCE/current`, of which one is the home directory there (snapcraft.io, "Environment
///   variables", `SNAP_USER_COMMON` and `SNAP_USER_DATA`). Firefox and Chromium use the first, Brave and Opera the second.
struct ProfileReader {
  private let environment: [String: String]
  private let home: String
  private let configuration: String
  private let programs: ProgramSearch
  private var files: ProfileFiles

  init(environment: [String: String], programs: ProgramSearch) {
    let directories = BaseDirectories(environment: environment)
    self.environment = environment
    files = ProfileFiles(environment: environment)
    (home, configuration) = (directories.home, directories.configHome)
    self.programs = programs
  }

  /// The paths that were read so far.
  var places: [String] { files.places.unique }

  /// Returns the profiles of a browser, or the reason why they cannot be read.
  mutating func profiles(of program: BrowserProgram) -> InstalledBrowser.Profiles {
    do throws(ProfileError) {
      switch program.family.engine {
      case .gecko:
        guard let directory = geckoDirectory(of: program) else { return .known([]) }
        let reader = GeckoProfiles(
          family: program.family, directory: directory.here, pathForBrowser: directory.there,
          installation: installation(of: program))
        return .known(try reader.read(&files))
      case .chromium where program.family != .opera:
        guard let directory = dataDirectory(of: program) else { return .known([]) }
        return .known(try ChromiumProfiles(family: program.family, directory: directory).read(&files))
      case .falkon:
        guard let directory = dataDirectory(of: program) else { return .known([]) }
        return .known(try FalkonProfiles(family: program.family, directory: directory).read(&files))
      case .chromium, .epiphany: return .none
      }
    } catch {
      return .unreadable(reason: error.description)
    }
  }

  /// The directory with `profiles.ini`, here and as the browser sees it; `nil` if the browser was never started.
  private mutating func geckoDirectory(of program: BrowserProgram) -> (here: String, there: String)? {
    guard let names = program.family.geckoDirectories else { return nil }
    let candidates: [(here: String, there: String)]
    switch program.packaging {
    case .plain:
      let legacy = "\(home)/\(names.home)"
      let isForced = environment["MOZ_LEGACY_HOME"]?.hasPrefix("1") == true
      candidates = ([legacy] + (isForced ? [] : ["\(configuration)/\(names.configuration)"])).map { ($0, $0) }
    case .flatpak:
      let own = "\(home)/.var/app/\(program.name)"
      let configuration = "\(own)/config/\(names.configuration)"
      // A persistent directory has another path in the sandbox.
      candidates = [
        ("\(own)/\(names.home)", "\(home)/\(names.home)"), (configuration, configuration),
        ("\(own)/.config/\(names.configuration)", "\(home)/.config/\(names.configuration)"),
      ]
    case .snap:
      let own = "\(home)/snap/\(program.name)/common"
      candidates = [names.home, ".config/\(names.configuration)"].map { ("\(own)/\($0)", "\(own)/\($0)") }
    }
    return candidates.first { files.hasDirectory($0.here) }
  }

  /// The directory with the profiles of a browser that is not Gecko; `nil` if the browser was never started.
  private mutating func dataDirectory(of program: BrowserProgram) -> String? {
    if let directory = program.dataDirectory { return directory }
    let name = program.family.dataDirectory(ofProgram: program.name)
    let candidates: [String]
    switch program.packaging {
    case .plain:
      // `chrome/app/chrome_main_delegate.cc` and `chrome/common/chrome_paths_linux.cc`.
      let isChromium = program.family.engine == .chromium
      func variable(_ name: String) -> String? {
        isChromium ? environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } : nil
      }
      candidates = [
        variable("CHROME_USER_DATA_DIR") ?? "\(variable("CHROME_CONFIG_HOME") ?? configuration)/\(name)"
      ]
    case .flatpak: candidates = ["\(home)/.var/app/\(program.name)/config/\(name)"]
    case .snap:
      let own = "\(home)/snap/\(program.name)"
      candidates = [
        "\(own)/common/\(name)", "\(own)/current/.config/\(name)", "\(own)/common/.config/\(name)",
      ]
    }
    return candidates.first { files.hasDirectory($0) }
  }

  /// The directory of the installation, to which Firefox binds a default profile; `nil` if it is unknown.
  private func installation(of program: BrowserProgram) -> String? {
    guard program.packaging == .plain, let path = programs.find(program.program),
      let real = realpath(path, nil)
    else { return nil }
    defer { free(real) }
    return String(cString: real).split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
  }
}
