# On a fresh Debian machine with Swift 6, make test and make demo do everything that they need.

PREFIX ?= /usr/local
DESTDIR ?=
# The directory of the built programs, from which `install-files` copies them.
BINARIES ?= .build/release

bindir = $(PREFIX)/bin
# The directory in which usher looks for usher-command: ../libexec/usher, relative to its own directory.
libexecdir = $(PREFIX)/libexec/usher
datadir = $(PREFIX)/share
unitdir = $(PREFIX)/lib/systemd/user

# Linker options of the installed programs, by which links open sooner and the broker uses less memory (docs/performance.md). A packager
# overrides them: `LINK_usher-command=` makes that program position-independent.
linker = $(CURDIR)/linker
# Without an exported symbol and with libstdc++ and libgcc inside, the loader looks up fewer symbols. Identical functions are merged.
LINK ?= -Xswiftc -use-ld=lld -Xswiftc -L$(linker) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xlinker --version-script=$(linker)/symbols.map -Xlinker --icf=safe
# The functions of the Swift and C++ libraries that the broker executes are side by side, so that fewer pages are resident.
LINK_usherd ?= -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --symbol-ordering-file=$(linker)/usherd.order -Xlinker --no-warn-symbol-ordering
# The command runs for milliseconds. At a fixed address the loader relocates, and so writes, none of its pages.
LINK_usher-command ?= -Xlinker --no-pie
# Each link starts this program, and the loader would take most of its time.
LINK_usher ?= -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xlinker --icf=safe

.PHONY: all bootstrap build test demo desk examples docs bench bench-routes instructions fuzz build-usher lint format check install install-files install-opener desktop-database uninstall clean

all: build

# Installs missing Debian packages; finishes at once if none is missing.
bootstrap:
	@scripts/bootstrap

# Builds in .build/release, with Swift's libraries linked statically. Types that are known at compile time are not looked up by name at
# run time, because that would be half of the work of opening a link (docs/performance.md). The programs have no run path, because no
# libraries are installed beside them.
PRODUCTS ?= usher-command usherd usher-listen usher
release = swift build -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
build: $(patsubst %,build-%,$(filter-out usher,$(PRODUCTS)) $(filter usher,$(PRODUCTS)))

build-%:
	$(release) --product $* $(LINK) $(LINK_$*)

# Builds the front in a directory of its own, because its other compiler options would make SwiftPM compile the shared modules again.
build-usher:
	$(release) --product usher $(LINK_usher) --scratch-path .build/front
	directory=$$(swift build -c release --show-bin-path) && install -D -m 755 .build/front/release/usher "$$directory/usher"

test: bootstrap
	swift build --build-tests
	@scripts/test

demo: bootstrap
	@scripts/demo

# Starts a shell on a temporary desktop with Usher installed, to try programs without changing your own desktop.
desk: bootstrap
	@scripts/desk-shell

# Tests what every program of Examples/ promises: ARGUMENTS="--all", or "python qt".
examples:
	@scripts/bootstrap examples
	@scripts/examples $(ARGUMENTS)

# Builds the documentation of the libraries, .build/Usher.doccarchive; broken links are errors.
docs: bootstrap
	@scripts/docs

# Prints the figures of Usher and of other programs in one table: make bench ARGUMENTS="--quick --json figures.json running plain".
bench:
	@scripts/bootstrap bench
	@scripts/bench $(ARGUMENTS)

# Measures only route tables; ARGUMENTS=--quick omits the library that takes minutes to build.
bench-routes:
	@scripts/bootstrap bench
	@scripts/bench-routes $(ARGUMENTS)

# Compares the instructions of hot paths with Benchmarks/instructions.txt: make instructions ARGUMENTS=--write records them.
instructions: bootstrap
	@scripts/check-instructions --self-test
	@scripts/check-instructions $(ARGUMENTS)

# Replays the corpus of each fuzzer and searches for new inputs: make fuzz SECONDS=600 TARGETS="url table".
SECONDS ?= 60
fuzz: bootstrap
	@scripts/fuzz $(SECONDS) $(TARGETS)

lint:
	@scripts/lint

# Formats the Swift files as lint requires.
format:
	@git ls-files -z '*.swift' | xargs -0 swift format -i --parallel

# Checks what the compiler does not: imports between targets, links between documents, the words of prose, the labels of parameters,
# the names of code and tests in documents, and the code of the guide.
check:
	@scripts/check-imports --self-test
	@scripts/check-imports
	@scripts/check-links
	@scripts/check-words --self-test
	@scripts/check-words
	@scripts/check-labels --self-test
	@scripts/check-labels
	@scripts/check-names --self-test
	@scripts/check-names
	@scripts/check-tables
	@scripts/check-guide --self-test
	@/usr/bin/python3 scripts/acceptance --self-test
	@scripts/check-guide

# The templates of desktop/ (with the suffix .in), by the directory in which they are installed.
entries = org.usher.Handler.desktop org.usher.Callback.desktop
services = org.usher.Broker1.service org.usher.Handler.service
units = usherd.service
# Files that the guide tells its readers to copy.
copies = Examples/gtk/application1.py Examples/electron/envelope.js
fill = sed -e 's|@bindir@|$(bindir)|g'

install: build
	@$(MAKE) --no-print-directory install-files
	@$(MAKE) --no-print-directory desktop-database

# Updates the cache of applications by MIME type. Packages do this by triggers.
desktop-database:
	@if [ -z '$(DESTDIR)' ] && [ -d '$(datadir)/applications' ] && command -v update-desktop-database >/dev/null; then \
	  update-desktop-database -q '$(datadir)/applications'; fi

# Does not need root if DESTDIR or PREFIX is writable. The installed files are readable by all users, independent of the umask.
install-files:
	umask 022; install -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(libexecdir)' '$(DESTDIR)$(datadir)/applications' '$(DESTDIR)$(unitdir)' \
	  '$(DESTDIR)$(datadir)/dbus-1/services' '$(DESTDIR)$(datadir)/dbus-1/interfaces' \
	  '$(DESTDIR)$(datadir)/usher/schemas' '$(DESTDIR)$(datadir)/usher/examples'
	install -m 755 '$(BINARIES)/usher' '$(BINARIES)/usherd' '$(DESTDIR)$(bindir)'
	install -m 755 '$(BINARIES)/usher-command' '$(BINARIES)/usher-listen' '$(DESTDIR)$(libexecdir)'
	install -m 644 desktop/schemas/*.json '$(DESTDIR)$(datadir)/usher/schemas'
	install -m 644 $(copies) '$(DESTDIR)$(datadir)/usher/examples'
	set -e; umask 022; for file in $(entries); do $(fill) desktop/$$file.in >'$(DESTDIR)$(datadir)/applications/'$$file; done
	set -e; umask 022; for file in $(services); do $(fill) desktop/$$file.in >'$(DESTDIR)$(datadir)/dbus-1/services/'$$file; done
	set -e; umask 022; for file in $(units); do $(fill) desktop/$$file.in >'$(DESTDIR)$(unitdir)/'$$file; done
	set -e; for file in desktop/*.xml; do \
	  [ ! -e $$file ] || install -m 644 $$file '$(DESTDIR)$(datadir)/dbus-1/interfaces'; done
	@umask 022; scripts/install-completions '$(BINARIES)/usher' '$(DESTDIR)$(datadir)'
	@umask 022; scripts/install-man-pages '$(BINARIES)/usher' '$(datadir)' '$(DESTDIR)'

# Installs usher under the name xdg-open, so that programs call it. An xdg-open of the distribution remains installed; the first one
# in PATH is called.
install-opener:
	install -d '$(DESTDIR)$(bindir)'
	ln -sf usher '$(DESTDIR)$(bindir)/xdg-open'

uninstall:
	[ "$$(readlink '$(DESTDIR)$(bindir)/xdg-open')" != usher ] || rm -f '$(DESTDIR)$(bindir)/xdg-open'
	rm -f '$(DESTDIR)$(bindir)/usher' '$(DESTDIR)$(bindir)/usherd' '$(DESTDIR)$(libexecdir)/usher-command' \
	  '$(DESTDIR)$(libexecdir)/usher-listen'
	rm -rf '$(DESTDIR)$(datadir)/usher/schemas' '$(DESTDIR)$(datadir)/usher/examples'
	rm -f $(entries:%='$(DESTDIR)$(datadir)/applications/%') $(units:%='$(DESTDIR)$(unitdir)/%')
	rm -f $(services:%='$(DESTDIR)$(datadir)/dbus-1/services/%')
	rm -f $(patsubst desktop/%,'$(DESTDIR)$(datadir)/dbus-1/interfaces/%',$(wildcard desktop/*.xml))
	@scripts/install-man-pages --remove '$(datadir)' '$(DESTDIR)'
	@scripts/install-completions --remove '$(DESTDIR)$(datadir)'
	@$(MAKE) --no-print-directory desktop-database

clean:
	swift package clean
	rm -rf .build/front
