// SPDX-License-Identifier: Apache-2.0
extension ProgramRunner {
  /// The known programs, by name without directory and version.
  static let known: [String: ProgramRunner] = {
    var known: [String: ProgramRunner] = [:]
    for group in [
      starters, privileged, containers, launchers, shells, interpreters, terminals, optionRunners, joiners,
    ] {
      known.merge(group) { $1 }
    }
    return known.mapValues(\.indexed)
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
      flags: "i v --ignore-environment --null --debug", values: "u C --unset --chdir",
      commandLines: "S --split-string", language: .commandLine, takesVariables: true),
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
    "rlwrap": ProgramRunner(
      flags: "a A c e E i I m M N o R U v w W", values: "b C D f F g H l p P q s S t z"),
    "unbuffer": ProgramRunner(flags: "p"),
    "gamescope": ProgramRunner(flags: "b e f g", values: "F G H h m o r S s W w"),
    "uwsm": ProgramRunner(subcommands: ["app": 0, "start": 0]), "uwsm-app": ProgramRunner(),
    "script": ProgramRunner(
      flags: "a e f q --append --return --flush --quiet --force", attached: "t --timing",
      values: "E I O B T m o --echo --log-in --log-out --log-io --log-timing --logging-format --output-limit",
      codes: "c --command", language: .commandLine, permutes: true, runsOperand: false),
    "flock": ProgramRunner(
      flags: "e s x n o u F v --exclusive --shared --nonblock --nb --unlock --close --no-fork --verbose",
      values: "w E --timeout --wait --conflict-exit-code", codes: "c --command", language: .commandLine,
      operandsBefore: 1),
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
      programs: "s --shell", codes: "c --command --session-command", language: .commandLine, permutes: true),
    "su": ProgramRunner(
      flags: "f l m p P --login --preserve-environment --pty", values: "g G w --group --supp-group",
      programs: "s --shell", codes: "c --command --session-command", language: .commandLine, permutes: true,
      runsOperand: false),
    "gosu": ProgramRunner(operandsBefore: 1), "su-exec": ProgramRunner(operandsBefore: 1),
    // A shell runs the operands behind the group, too.
    "sg": ProgramRunner(codes: "c", language: .commandLine, codeOperands: .afterFirst, operandsBefore: 1),
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
    "npx": ProgramRunner(
      flags: "y --yes --no", values: "p --package", codes: "c --call", language: .commandLine),
    "bunx": ProgramRunner(), "pnpx": ProgramRunner(), "uvx": ProgramRunner(values: "--from --with"),
    "pipx": ProgramRunner(values: "--spec", subcommands: ["run": 0]),
    "go": ProgramRunner(subcommands: ["run": 0]), "cargo": ProgramRunner(subcommands: ["run": 0]),
    "npm": ProgramRunner(
      flags: "y --yes --no", values: "w --package --prefix --workspace", codes: "c --call",
      language: .commandLine, permutes: true, subcommands: ["exec": 0, "run": 0, "x": 0]),
    "uv": ProgramRunner(values: "p --python --with --from --project --directory", subcommands: ["run": 0]),
    "mono-sgen": ProgramRunner(), "wine-preloader": ProgramRunner(), "love": ProgramRunner(),
    "qml": ProgramRunner(programs: "I", scripts: "f"), "qmlscene": ProgramRunner(programs: "I"),
    "dart": ProgramRunner(subcommands: ["": 0, "run": 0]),
  ]

  /// Shells, of which an operand is a script unless an option has code.
  private static let shells: [String: ProgramRunner] = [
    "sh": shell, "bash": shell, "rbash": shell, "bash-static": shell, "dash": shell, "ash": shell,
    "zsh": shell,
    "ksh": shell, "lksh": shell, "mksh": shell, "mksh-static": shell, "oksh": shell, "posh": shell,
    "yash": shell, "csh": cShell, "bsd-csh": cShell,
    "tcsh": cShell,
    "fish": ProgramRunner(
      flags: "i l n N P v --interactive --login --no-config --no-execute --private",
      values: "d D f o p --debug --features --debug-output --debug-stack-frames --profile --profile-startup",
      codes: "c C --command --init-command", language: .commandLine),
    "nu": ProgramRunner(
      flags: "i l n --interactive --login --no-config-file --no-history --no-std-lib --stdin",
      values: "m t --table-mode --threads --log-level --log-target",
      programs: "I --config --env-config --plugin-config --plugins --include-path",
      codes: "c e --commands --execute", language: .other),
    "pwsh": powerShell, "powershell": powerShell,
    "source": ProgramRunner(), ".": ProgramRunner(),
  ]

  private static let shell = ProgramRunner(
    flags:
      "a b e f h i k l m n p r s t u v x B C D E H P T --login --norc --noprofile --posix --restricted --verbose",
    values: "o O", programs: "--rcfile --init-file", codes: "c", language: .posixShell,
    takesCodeAfterOptions: true)
  private static let cShell = ProgramRunner(
    flags: "b d e f F i l m n q s t v V x X", values: "o O", codes: "c", language: .commandLine,
    takesCodeAfterOptions: true)
  private static let powerShell = ProgramRunner(
    style: .abbreviations,
    flags: "Interactive Login MTA NoExit NoLogo NonInteractive NoProfile NoProfileLoadTime STA Help Version",
    values:
      "ConfigurationFile ConfigurationName CustomPipeName ExecutionPolicy InputFormat OutputFormat SettingsFile "
      + "WindowStyle WorkingDirectory wd ep ex",
    scripts: "File", codes: "Command CommandWithArgs cwa EncodedCommand ec", language: .other, joinsCode: true
  )

  /// Interpreters, of which an operand is a script unless an option has code.
  private static let interpreters: [String: ProgramRunner] = [
    "python": python, "pypy": python,
    "perl": ProgramRunner(
      flags: "a c f l n p s S t T u U v w W X", attached: "C d D F i V x", programs: "I m M", codes: "e E",
      language: .other),
    "ruby": ruby, "ruby-mri": ruby, "node": javaScript, "nodejs": javaScript,
    // These run a script also without a subcommand.
    "bun": ProgramRunner(
      values: "--config --env-file", programs: "r --preload", codes: "e p --eval --print", language: .other,
      subcommands: ["": 0, "run": 0, "x": 0]),
    "deno": ProgramRunner(
      flags: "A p q R --allow-all --quiet --no-check --print", values: "--ext --config --import-map",
      language: .other, codeSubcommands: ["eval": .all], subcommands: ["": 0, "run": 0, "serve": 0]),
    "php": ProgramRunner(
      flags: "a e H i k l m n q s v w", values: "S t --server --docroot",
      programs: "c d z --php-ini --define --zend-extension", scripts: "f F --file --process-file",
      codes: "r B R E --run --process-begin --process-code --process-end", language: .other),
    "lua": ProgramRunner(flags: "i E v W", programs: "l", codes: "e", language: .other),
    "luajit": ProgramRunner(
      flags: "i E v b", attached: "O", values: "j", programs: "l", codes: "e", language: .other),
    "R": ProgramRunner(
      flags: "q s --vanilla --slave --no-save --no-restore --quiet --no-echo", scripts: "f --file",
      codes: "e",
      language: .other, permutes: true, runsOperand: false),
    "Rscript": ProgramRunner(
      flags: "--vanilla --verbose", values: "--default-packages", codes: "e", language: .other),
    "guile": ProgramRunner(
      flags: "q x", values: "e --use-srfi", programs: "l L C", scripts: "s", codes: "c", language: .other),
    "gjs": gnomeScript, "gjs-console": gnomeScript,
    "julia": ProgramRunner(
      flags: "i q v --interactive --quiet",
      values: "C H J O p t --project --threads --procs --sysimage --cpu-target --color --optimize",
      programs: "L --load", codes: "e E --eval --print", language: .other),
    "racket": ProgramRunner(
      flags: "i n v", values: "N", programs: "f l p r S t u --load --lib --require", codes: "e --eval",
      language: .other),
    "octave": octave, "octave-cli": octave,
    "swipl": ProgramRunner(
      flags: "q O --quiet", values: "--stack-limit --table-space", programs: "f l s x", codes: "g t",
      language: .other),
    "sbcl": ProgramRunner(
      flags: "--noinform --non-interactive --no-sysinit --no-userinit --disable-debugger",
      values: "--core --dynamic-space-size --control-stack-size", programs: "--load --sysinit --userinit",
      scripts: "--script", codes: "--eval", language: .other, permutes: true),
    "expect": ProgramRunner(flags: "d D i n N v", scripts: "f b", codes: "c", language: .other),
    "java": ProgramRunner(
      style: .words, flags: "server client ea enableassertions showversion --enable-preview",
      attached: "X D ea: verbose: agent", values: "--add-opens --add-exports --add-modules --add-reads",
      programs: "cp classpath class-path module-path p",
      joinedPrograms: "-javaagent: -agentpath: -agentlib: -Xbootclasspath/a:", scripts: "jar m module"),
    "swift": ProgramRunner(flags: "v", programs: "I", codes: "e", language: .other),
    // Modules of Python that run a script or code, behind -m.
    "pdb": ProgramRunner(programs: "c", scripts: "m"), "cProfile": profiler, "profile": profiler,
    "trace": ProgramRunner(
      flags: "c t l T r R g s --count --trace --listfuncs --trackcalls --summary",
      values: "f C --file --coverdir --ignore-module --ignore-dir", scripts: "--module"),
    "runpy": ProgramRunner(),
    "timeit": ProgramRunner(
      flags: "p v --process --verbose", values: "n r u --number --repeat --unit", programs: "s --setup",
      language: .other, codeOperands: .all, isOrdinaryWord: true),
    "tclsh": ProgramRunner(), "wish": ProgramRunner(),
    "elixir": ProgramRunner(
      programs: "r S pa pz", codes: "e --eval --rpc-eval", language: .other, permutes: true),
    "erl": ProgramRunner(
      style: .words, programs: "s run pa pz boot config", codes: "eval", language: .other, permutes: true,
      runsOperand: false),
    "raku": ProgramRunner(flags: "c n p", programs: "I M", codes: "e", language: .other),
    "crystal": ProgramRunner(
      language: .other, codeSubcommands: ["eval": .all], subcommands: ["": 0, "run": 0]),
    "ghc": ProgramRunner(codes: "e", language: .other, permutes: true, runsOperand: false),
    "runghc": ProgramRunner(),
    "groovy": ProgramRunner(values: "c", codes: "e", language: .other),
    "scala": ProgramRunner(codes: "e", language: .other, subcommands: ["": 0, "run": 0]),
    "tsx": javaScript, "ipython": python,
    "osascript": ProgramRunner(flags: "i", values: "l s", codes: "e", language: .other),
    // `NAME:=$(shell …)` runs a program, also behind `--`.
    "make": make, "gmake": make,
  ]

  private static let python = ProgramRunner(
    flags: "b B d E h i I O P q s S u v V x --version --help", values: "W X --check-hash-based-pycs",
    scripts: "m", codes: "c", language: .other)
  private static let profiler = ProgramRunner(values: "o s --outfile --sort", scripts: "m")
  private static let ruby = ProgramRunner(
    flags: "a c h l n p s S U v w y", attached: "F i K T W x",
    values: "C E X --enable --disable --encoding --external-encoding --internal-encoding --backtrace-limit",
    programs: "r I", codes: "e", language: .other)
  private static let javaScript = ProgramRunner(
    flags: "c i v h --no-warnings --enable-source-maps --test", values: "C --conditions --input-type --title",
    programs: "r --require --import --loader --experimental-loader", codes: "e p --eval --print",
    language: .other)
  private static let gnomeScript = ProgramRunner(
    flags: "m", programs: "I --include-path", codes: "c --command", language: .other)
  private static let octave = ProgramRunner(
    flags: "q W H f --quiet --no-gui --gui --no-init-file --persist", programs: "p --path --exec-path",
    codes: "--eval", language: .other)
  private static let make = ProgramRunner(
    flags: "b B d e i k L n p q r R s S t v w", values: "j l o O W",
    programs: "f C I E --file --makefile --eval --directory", language: .other, codeOperands: .all,
    codeMarks: "=$", permutes: true, isOrdinaryWord: true, runsOperand: false)

  /// Terminal emulators, of which an option has a command line or a program with its arguments.
  private static let terminals: [String: ProgramRunner] = [
    "xterm": wordTerminal, "uxterm": wordTerminal, "urxvt": wordTerminal, "x-terminal-emulator": wordTerminal,
    "konsole": wordTerminal, "st": ProgramRunner(programs: "e", runsOperand: false),
    "alacritty": ProgramRunner(programs: "e o --command --config-file", runsOperand: false),
    "gnome-terminal": runningTerminal, "ptyxis": runningTerminal, "kgx": runningTerminal,
    "mate-terminal": terminal, "lxterminal": terminal, "terminator": terminal, "tilix": terminal,
    "xfce4-terminal": terminal, "ghostty": wordTerminal,
  ]

  private static let terminalFlags = "--window --tab --full-screen --maximize --wait --hold --fullscreen"
  private static let terminalValues =
    "t T p --title --geometry --profile --working-directory --display --zoom --role --class"
  private static let terminalCommands = "e x --command --execute"
  /// A terminal emulator that runs an operand, usually behind `--`.
  private static let runningTerminal = ProgramRunner(
    flags: terminalFlags, values: terminalValues, commandLines: terminalCommands, language: .commandLine)
  private static let terminal = ProgramRunner(
    flags: terminalFlags, values: terminalValues, commandLines: terminalCommands, language: .commandLine,
    runsOperand: false)
  private static let wordTerminal = ProgramRunner(
    style: .words, commandLines: "e", language: .commandLine, permutes: true, endsWithCode: true,
    runsOperand: false)

  /// Programs of which only an option names a program, a command line or a file with commands.
  private static let optionRunners: [String: ProgramRunner] = [
    "find": ProgramRunner(programs: "-exec -execdir -ok -okdir", runsOperand: false),
    "ssh": ProgramRunner(
      flags: "A a C f G g K k M N n q s T t V v X x Y y", values: sshValues, programs: "o F J",
      language: .commandLine, codeOperands: .afterFirst, operandsBefore: 1, runsOperand: false),
    "mosh": ProgramRunner(
      flags: "4 6 a n", values: "p --port --predict --family", programs: "--ssh --client --server",
      operandsBefore: 1),
    "entr": ProgramRunner(flags: "a c d n p r z", codes: "s", language: .commandLine),
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
      style: .words, flags: "nw Q q batch no-site-file no-init-file quick daemon",
      programs: "l f L load script funcall directory", codes: "eval execute", language: .other,
      permutes: true,
      runsOperand: false),
    "emacsclient": ProgramRunner(
      flags: "c n q r t u --create-frame --no-wait --quiet --tty --reuse-frame",
      values: "d f F p s T --display --server-file --frame-parameters --socket-name --tramp",
      programs: "a --alternate-editor", codes: "e --eval", language: .other, permutes: true,
      runsOperand: false),
    "gdb": ProgramRunner(
      style: .words, flags: "batch q quiet nx nh tui silent",
      values: "p pid cd directory d c core s symbols e exec",
      programs: "x ix command init-command args",
      codes: "ex iex eval-command init-eval-command", language: .other, permutes: true, readsCommands: true,
      runsOperand: false),
    "psql": ProgramRunner(
      flags: "a A b e E l L n q s S t w W x X z 1",
      values: "d F h o p P R T U v --dbname --host --port --username",
      programs: "f --file", codes: "c --command", language: .other, permutes: true, readsCommands: true,
      runsOperand: false),
    // An operand after the database is SQL, or a command such as `.shell`.
    "sqlite": ProgramRunner(
      style: .words,
      flags:
        "A batch bail box column csv deserialize echo header noheader html interactive json line list markdown "
        + "quote readonly safe stats table tabs",
      values: "separator nullvalue newline mmap lookaside maxsize vfs", programs: "init", codes: "cmd",
      language: .other, codeOperands: .afterFirst, permutes: true, readsCommands: true, runsOperand: false),
    "mysql": mysql, "mariadb": mysql,
    "nix-shell": ProgramRunner(
      values: "p A E I --packages --attr --arg", codes: "--run --command", language: .commandLine,
      permutes: true, runsOperand: false),
    "sort": ProgramRunner(programs: "--compress-program", runsOperand: false),
    "curl": ProgramRunner(programs: "K --config", runsOperand: false),
    "wget": ProgramRunner(programs: "e --use-askpass --config --execute", runsOperand: false),
    "awk": awk, "gawk": awk, "mawk": awk, "nawk": awk,
    "sed": ProgramRunner(
      flags: "n r E s u z --quiet --silent --debug --posix --sandbox --in-place", attached: "i",
      values: "l --line-length", scripts: "f --file", codes: "e --expression", language: .other,
      codeOperands: .first, runsOperand: false),
  ]

  /// Programs that run their operands, joined with blanks, as code, or pass them to a running program as commands.
  private static let joiners: [String: ProgramRunner] = [
    "eval": joiner, "trap": joiner, "alias": joiner,
    "watch": ProgramRunner(
      flags: "b c d e g p t w x --beep --color --differences --errexit --chgexit --precise --no-title --exec",
      values: "n q --interval --equexit", language: .commandLine, codeOperands: .all, isOrdinaryWord: true),
    "parallel": ProgramRunner(
      flags: "k m q u v X --keep-order --xargs --dry-run --null",
      values:
        "a d I j N n P S s --arg-file --colsep --delay --delimiter --jobs --joblog --retries --results --timeout",
      language: .commandLine, codeOperands: .all, isOrdinaryWord: true),
    "i3-msg": windowManager, "swaymsg": windowManager, "hyprctl": windowManager,
    // A shell runs an argument that is the only one. -l and -N have a value in some subcommands.
    "tmux": ProgramRunner(
      flags: "2 C D q u v V A a b d E h I k K M P R r X Z", values: "c e F f L n p S s t w x y",
      language: .commandLine,
      codeSubcommands: [
        "new-window": .single, "neww": .single, "new-session": .single, "new": .single,
        "split-window": .single, "splitw": .single, "respawn-pane": .single, "respawnp": .single,
        "respawn-window": .single, "display-popup": .all, "popup": .all, "send-keys": .all, "send": .all,
        "run-shell": .all, "run": .all, "if-shell": .all, "if": .all, "pipe-pane": .all,
      ], runsOperand: false),
    "screen": ProgramRunner(
      flags: "a A d D i l L m q r R U v x", values: "c e h p S s t T", codes: "X", language: .commandLine,
      joinsCode: true),
  ]

  private static let joiner = ProgramRunner(
    language: .commandLine, codeOperands: .all, isOrdinaryWord: true, runsOperand: false)
  private static let windowManager = ProgramRunner(
    values: "s t --socket --type", language: .other, codeOperands: .all, runsOperand: false)

  private static let editor = ProgramRunner(
    flags: "b B d e E g H l L m M n N o O p q r R v V x X y Z",
    values: "T W w --servername --startuptime --listen --server",
    programs: "i S s u U", codes: "c --cmd --remote-send --remote-expr", language: .other, permutes: true,
    takesPlus: true, runsOperand: false)
  private static let awk = ProgramRunner(
    flags: "b c C g h M n N O P r s S t V", attached: "d D L o p",
    values: "F v --assign --field-separator", programs: "i l --include --load", scripts: "E f --exec --file",
    codes: "e --source", language: .other, codeOperands: .first, runsOperand: false)
  private static let mysql = ProgramRunner(
    flags: "A B b C f H N n q r s t v X", attached: "p --password",
    values: "D h P S u --database --host --port --socket --user",
    codes: "e --execute --init-command", language: .other, permutes: true, readsCommands: true,
    runsOperand: false)
  private static let sshValues = "B b c D E e I i L l m O p Q R W w"
}
