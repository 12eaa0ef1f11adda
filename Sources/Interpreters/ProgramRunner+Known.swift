// SPDX-License-Identifier: Apache-2.0
extension ProgramRunner {
  /// The known programs, by name without directory and version.
  static let known: [String: ProgramRunner] = {
    var known: [String: ProgramRunner] = [:]
    for group in [starters, privileged, containers, launchers, interpreters, optionRunners] {
      known.merge(group) { $1 }
    }
    return known
  }()

  /// Programs that run another one in changed circumstances.
  private static let starters: [String: ProgramRunner] = [
    "nohup": ProgramRunner(),
    "setsid": ProgramRunner(flags: "c f w --ctty --fork --wait"),
    "nice": ProgramRunner(values: "n --adjustment"),
    "ionice": ProgramRunner(flags: "t --ignore", values: "c n p P u --class --classdata --pid"),
    "chrt": ProgramRunner(flags: "a b d f i m o r p v R", values: "T P D", operandsBefore: 1),
    "taskset": ProgramRunner(flags: "a c p --all-tasks --cpu-list --pid", operandsBefore: 1),
    "timeout": ProgramRunner(
      flags: "v --foreground --preserve-status --verbose", values: "k s --kill-after --signal",
      operandsBefore: 1),
    "stdbuf": ProgramRunner(values: "i o e --input --output --error"),
    "env": ProgramRunner(
      flags: "i v --ignore-environment --null --debug", values: "u C S --unset --chdir --split-string",
      takesVariables: true),
    "time": ProgramRunner(
      flags: "a p q v --append --portability --quiet --verbose", values: "f o --format --output"),
    "xargs": ProgramRunner(
      flags: "e i l p r t x o --null --no-run-if-empty --verbose --interactive --exit --open-tty",
      values: "a d E I L n P s --arg-file --delimiter --max-args --max-chars --max-procs"),
    "chroot": ProgramRunner(operandsBefore: 1),
    "unshare": ProgramRunner(
      flags:
        "m u i n p U C T f r c --mount --uts --ipc --net --pid --user --cgroup --time --fork --map-root-user "
        + "--map-current-user --map-auto --mount-proc --keep-caps",
      values: "R w S G --root --wd --setuid --setgid --setgroups --propagation --map-user --map-group"),
    "nsenter": ProgramRunner(
      flags:
        "a m u i n p U C T r w F Z --all --mount --uts --ipc --net --pid --user --cgroup --time --root --wd "
        + "--preserve-credentials --no-fork",
      values: "t S G --target --setuid --setgid"),
    "setpriv": ProgramRunner(
      flags: "--no-new-privs --clear-groups --keep-groups --init-groups --reset-env",
      values: "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig"),
    "prlimit": ProgramRunner(), "numactl": ProgramRunner(), "choom": ProgramRunner(values: "n p"),
    "cpulimit": ProgramRunner(flags: "b f i m q r v z", values: "e p l c"),
    "strace": ProgramRunner(
      flags: "c C d f F h i k q r t T v V w x y Y z Z D", values: "a b e E I O p P s S u U X", programs: "o"),
    "ltrace": ProgramRunner(flags: "b c C f h i L r S t T V", values: "a A D e F l n o p s u w x"),
    "valgrind": ProgramRunner(), "catchsegv": ProgramRunner(),
    "perf": ProgramRunner(subcommands: ["record": 0, "stat": 0, "trace": 0]),
    "faketime": ProgramRunner(flags: "m", values: "f", operandsBefore: 1),
    "fakeroot": ProgramRunner(values: "l f s i b"),
    "dumb-init": ProgramRunner(flags: "c v", values: "r"),
    "tini": ProgramRunner(flags: "s g v w", values: "p e"),
    "torsocks": ProgramRunner(flags: "i", values: "a p u"), "torify": ProgramRunner(),
    "proxychains": ProgramRunner(flags: "q", values: "f"),
    "gamemoderun": ProgramRunner(), "mangohud": ProgramRunner(flags: "--dlsym"), "prime-run": ProgramRunner(),
    "optirun": ProgramRunner(flags: "v", values: "b c d l"), "primusrun": ProgramRunner(),
    "box64": ProgramRunner(), "box86": ProgramRunner(),
    "ld-linux-x86-64.so": ProgramRunner(values: "--argv0", programs: "--library-path --preload"),
    "busybox": ProgramRunner(), "toybox": ProgramRunner(),
    "command": ProgramRunner(flags: "p v V"), "builtin": ProgramRunner(),
    "exec": ProgramRunner(flags: "c l", values: "a"),
    "xvfb-run": ProgramRunner(
      flags: "a d l --auto-servernum --auto-display --listen-tcp",
      values: "e f n p s w --error-file --auth-file --server-num --xauth-protocol --server-args --wait"),
    "dbus-run-session": ProgramRunner(values: "--config-file", programs: "--dbus-daemon"),
    "dbus-launch": ProgramRunner(
      flags: "--exit-with-session --autolaunch --sh-syntax --csh-syntax --close-stderr",
      values: "--config-file"),
    "gnome-terminal": ProgramRunner(
      flags: "--window --tab --full-screen --maximize --wait",
      values: "--title --geometry --profile --working-directory --display"),
    "kitty": ProgramRunner(
      flags: "v --hold --single-instance --detach",
      values: "T d --title --class --name --directory", programs: "c o --config --override"),
    "foot": ProgramRunner(values: "t T a W w D s L l p", programs: "c o --config --override"),
    "systemd-cat": ProgramRunner(
      values: "t p --identifier --priority --stderr-priority --level-prefix"),
    "systemd-inhibit": ProgramRunner(flags: "--no-pager --list", values: "--what --who --why --mode"),
  ]

  /// Programs that run another one as another user or in another unit.
  private static let privileged: [String: ProgramRunner] = [
    "sudo": ProgramRunner(
      flags:
        "A B b E e H i K k l N n P S s V v --askpass --background --bell --set-home --login --non-interactive "
        + "--preserve-groups --stdin --shell --reset-timestamp --preserve-env",
      values:
        "C D g h p r R T t U u --user --group --host --prompt --chdir --chroot --role --type --close-from "
        + "--command-timeout --other-user",
      takesVariables: true),
    "doas": ProgramRunner(flags: "L n s", values: "C u"),
    "pkexec": ProgramRunner(flags: "--disable-internal-agent --keep-cwd", values: "--user"),
    "runuser": ProgramRunner(
      flags: "f l m p --login --preserve-environment", values: "g G u --user --group --supp-group",
      programs: "s --shell", codes: "c --command --session-command"),
    "gosu": ProgramRunner(operandsBefore: 1), "su-exec": ProgramRunner(operandsBefore: 1),
    "sg": ProgramRunner(codes: "c", operandsBefore: 1),
    "systemd-run": unit, "run0": unit,
    "start-stop-daemon": ProgramRunner(
      values: "p u n g s c r d N P I k R --pidfile --user --group --chuid --chdir --name",
      programs: "x a --exec --startas", runsOperand: false),
    "machinectl": ProgramRunner(subcommands: ["shell": 1]),
  ]

  private static let unit = ProgramRunner(
    flags:
      "t P q G r d S --user --system --scope --pty --pipe --quiet --wait --collect --no-block --same-dir "
      + "--remain-after-exit --send-sighup --slice-inherit --shell --no-ask-password",
    values: "u p E M H D --unit --property --description --slice --uid --gid --group --nice --setenv "
      + "--working-directory --machine --host --service-type --on-active --on-calendar --timer-property --chdir"
  )

  /// Sandboxes and containers, and programs that run a program outside of one.
  private static let containers: [String: ProgramRunner] = [
    "flatpak-spawn": ProgramRunner(
      flags: "v --host --clear-env --watch-bus --latest-version --no-network --sandbox --verbose"),
    "flatpak": ProgramRunner(
      flags: "u d --user --system --devel --file-forwarding --sandbox --die-with-parent",
      values: "--branch --arch --env --cwd --filesystem", programs: "--command",
      subcommands: ["run": 0, "enter": 1]),
    "snap": ProgramRunner(flags: "--shell", subcommands: ["run": 0]),
    "bwrap": ProgramRunner(
      flags:
        "--unshare-all --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --share-net "
        + "--die-with-parent --new-session --clearenv --as-pid-1",
      values:
        "--chdir --unsetenv --proc --dev --tmpfs --mqueue --dir --uid --gid --hostname --lock-file --sync-fd "
        + "--seccomp --cap-add --cap-drop",
      pairs: "--bind --ro-bind --dev-bind --bind-try --ro-bind-try --dev-bind-try --setenv --symlink --file "
        + "--bind-data --ro-bind-data"),
    "firejail": ProgramRunner(), "proot": ProgramRunner(values: "r b w q k i R S"),
    // The name of the container is an operand, or the value of -n, which counts as one here.
    "distrobox": ProgramRunner(
      flags: "T n --name", values: "a --additional-flags", subcommands: ["enter": 1]),
    "distrobox-enter": ProgramRunner(flags: "T n --name", values: "a --additional-flags", operandsBefore: 1),
    "toolbox": ProgramRunner(values: "c d r --container --distro --release", subcommands: ["run": 0]),
    "podman": engine, "docker": engine, "nerdctl": engine,
    "systemd-nspawn": ProgramRunner(
      flags: "a x b q P",
      values: "D i M u E p S L Z U --directory --image --machine --user --chdir --bind --setenv"),
  ]

  private static let engine = ProgramRunner(
    flags: "i t d P l --rm --interactive --tty --detach --privileged --init --read-only",
    values:
      "u w e v p h m --name --user --workdir --env --volume --mount --network --userns --hostname --label "
      + "--publish",
    programs: "--entrypoint", subcommands: ["run": 0, "exec": 1])

  /// Programs that start an application or a package that an operand names.
  private static let launchers: [String: ProgramRunner] = [
    "gtk-launch": ProgramRunner(), "dex": ProgramRunner(flags: "a d v w"),
    "gio": ProgramRunner(subcommands: ["launch": 0]), "kioclient": ProgramRunner(subcommands: ["exec": 0]),
    "kstart": ProgramRunner(values: "--application --service --window --desktop"),
    "exo-open": ProgramRunner(programs: "--launch", runsOperand: false),
    "wine": ProgramRunner(), "mono": ProgramRunner(), "dotnet": ProgramRunner(),
    "npx": ProgramRunner(flags: "y --yes", values: "p --package", codes: "c --call"),
    "bunx": ProgramRunner(), "pnpx": ProgramRunner(), "uvx": ProgramRunner(values: "--from --with"),
    "pipx": ProgramRunner(values: "--spec", subcommands: ["run": 0]),
    "go": ProgramRunner(subcommands: ["run": 0]), "cargo": ProgramRunner(subcommands: ["run": 0]),
    "npm": ProgramRunner(subcommands: ["exec": 0, "run": 0, "x": 0]),
  ]

  /// Interpreters, of which an operand is a script unless an option has code.
  private static let interpreters: [String: ProgramRunner] = [
    "sh": shell, "bash": shell, "rbash": shell, "dash": shell, "ash": shell, "zsh": shell, "ksh": shell,
    "mksh": shell, "yash": shell, "csh": shell, "tcsh": shell, "source": ProgramRunner(),
    ".": ProgramRunner(),
    "fish": ProgramRunner(flags: "i l n N P v", values: "d f D", codes: "c C --command --init-command"),
    "python": ProgramRunner(
      flags: "b B d E h i I O P q s S u v V x --version --help", values: "W X", scripts: "m", codes: "c"),
    "perl": ProgramRunner(
      flags: "a c f l n p s S t T u U v w W X", values: "C d D F i V x", programs: "I m M", codes: "e E"),
    "ruby": ProgramRunner(
      flags: "a c l n p s S v w W y", values: "C E F T K x", programs: "r I", codes: "e"),
    "node": javaScript, "nodejs": javaScript,
    // These run a script also without a subcommand.
    "bun": ProgramRunner(codes: "e p --eval --print", subcommands: ["": 0, "run": 0, "x": 0]),
    "deno": ProgramRunner(
      flags: "A q R --allow-all --quiet --no-check", subcommands: ["": 0, "run": 0, "serve": 0]),
    "php": ProgramRunner(
      flags: "a e H i k l m n q s v w", values: "S t", programs: "c d z", scripts: "f F",
      codes: "r B R E --run"),
    "lua": ProgramRunner(flags: "i E v W", programs: "l", codes: "e"),
    "luajit": ProgramRunner(flags: "i E v b", values: "j O", programs: "l", codes: "e"),
    "Rscript": ProgramRunner(flags: "--vanilla --verbose", codes: "e"),
    "guile": ProgramRunner(flags: "q x", programs: "l L C", scripts: "s", codes: "c"),
    "gjs": ProgramRunner(flags: "m", programs: "I --include-path", codes: "c --command"),
    "pwsh": ProgramRunner(scripts: "-File", codes: "c -Command -command"),
    "java": ProgramRunner(
      programs: "-cp -classpath --class-path --module-path p",
      joinedPrograms: "-javaagent: -agentpath: -agentlib: -Xbootclasspath/a:",
      scripts: "-jar m --module"),
    "swift": ProgramRunner(flags: "v", programs: "I", codes: "e"),
    "tclsh": ProgramRunner(), "wish": ProgramRunner(), "osascript": ProgramRunner(codes: "e"),
    "make": ProgramRunner(
      flags: "b B d e i k L n p q r R s S t v w", values: "j l o O W",
      programs: "f C I E --file --makefile --eval --directory", runsOperand: false),
  ]

  private static let shell = ProgramRunner(
    flags:
      "a b e f h i k l m n p r s t u v x B C D E H P T --login --norc --noprofile --posix --restricted --verbose",
    values: "o O", programs: "--rcfile --init-file", codes: "c --command")

  private static let javaScript = ProgramRunner(
    flags: "c i v h --no-warnings --enable-source-maps --test", values: "C",
    programs: "r --require --import --loader", codes: "e p --eval --print")

  /// Programs of which only an option names a program, a command line or a file with commands.
  private static let optionRunners: [String: ProgramRunner] = [
    "find": ProgramRunner(programs: "-exec -execdir -ok -okdir", runsOperand: false),
    "xterm": terminal, "uxterm": terminal, "urxvt": terminal, "x-terminal-emulator": terminal,
    "konsole": terminal, "st": terminal,
    "alacritty": ProgramRunner(programs: "e o --command --config-file", runsOperand: false),
    "xfce4-terminal": ProgramRunner(programs: "e x --command --execute", runsOperand: false),
    "ssh": ProgramRunner(values: sshValues, programs: "o F J", runsOperand: false),
    "scp": ProgramRunner(values: sshValues, programs: "o F S J", runsOperand: false),
    "sftp": ProgramRunner(values: sshValues, programs: "o F S J b D", runsOperand: false),
    "rsync": ProgramRunner(programs: "e --rsh --rsync-path --config", runsOperand: false),
    "tar": ProgramRunner(
      programs:
        "I F --to-command --use-compress-program --checkpoint-action --info-script --new-volume-script "
        + "--rsh-command", runsOperand: false),
    "git": ProgramRunner(
      programs: "c u C --exec-path --upload-pack --receive-pack --exec --config --git-dir", runsOperand: false
    ),
    "man": ProgramRunner(programs: "P H C p --pager --html --config-file --preprocessor", runsOperand: false),
    "mpv": ProgramRunner(
      programs: "--script --scripts --include --config-dir --input-conf --ytdl-path", runsOperand: false),
    "vi": editor, "vim": editor, "gvim": editor, "nvim": editor,
    "emacs": ProgramRunner(
      programs: "l f L --load -load --script -script --funcall -funcall", runsOperand: false),
    "gdb": ProgramRunner(programs: "x -ix --command --init-command --args -args", runsOperand: false),
    "sort": ProgramRunner(programs: "--compress-program", runsOperand: false),
    "curl": ProgramRunner(programs: "K --config", runsOperand: false),
    "wget": ProgramRunner(programs: "e --use-askpass --config --execute", runsOperand: false),
    "awk": filter, "gawk": filter, "mawk": filter, "nawk": filter,
    "sed": ProgramRunner(programs: "f --file", runsOperand: false),
  ]

  private static let terminal = ProgramRunner(programs: "-e", runsOperand: false)
  private static let editor = ProgramRunner(programs: "S u U s", runsOperand: false)
  private static let filter = ProgramRunner(programs: "f l --file", runsOperand: false)
  private static let sshValues = "B b c D E e I i L l m O p Q R W w"
}
