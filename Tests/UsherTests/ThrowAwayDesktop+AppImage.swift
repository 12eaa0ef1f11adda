// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

extension ThrowAwayDesktop {
  /// The desktop entry inside an AppImage.
  static let appImageEntry = """
    [Desktop Entry]
    Type=Application
    Name=Notes
    Exec=AppRun --no-sandbox %U
    MimeType=x-scheme-handler/notes;x-scheme-handler/javascript;
    DBusActivatable=true
    Actions=new;

    [Desktop Action new]
    Name=New
    Exec=AppRun --new
    """

  /// Writes an AppImage below the home directory, and returns its path.
  ///
  /// It appends its path and its arguments to `home/started`. As in real ones, the entry at its top is a link to the
  /// one below `usr`.
  @discardableResult
  func installAppImage(
    _ name: String, id: String = "org.example.Notes", entry: String = appImageEntry,
    mark: [UInt8] = [0x41, 0x49, 0x02]
  ) throws -> String {
    let script = """

      #AppImageProbe#
      case $1 in
        --appimage-extract)
          mkdir -p squashfs-root/usr/share/applications
          case $2 in
            '*.desktop') ln -s usr/share/applications/\(id).desktop squashfs-root/\(id).desktop ;;
            *) cat >"squashfs-root/$2" <<'END' ;;
      \(entry)
      END
          esac ;;
        *) printf '%s %s\\n' "$APPIMAGE" "$*" >>"$HOME/started" ;;
      esac

      """
    var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(BuiltProducts.directory)/AppImageProbe"))
    bytes.replaceSubrange(8..<11, with: mark)
    bytes.append(Data(script.utf8))
    let path = "\(home)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }
}
