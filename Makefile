# make test and make demo do all that is needed on a fresh Debian machine with Swift 6.

PREFIX ?= /usr/local
DESTDIR ?=
# Where the programs to install are; `install-files` takes them from there as they are.
BINARIES ?= .build/release

bindir = $(PREFIX)/bin
# Where usher looks for usher-command: ../libexec/usher of its own folder.
libexecdir = $(PREFIX)/libexec/usher
datadir = $(PREFIX)/share
unitdir = $(PREFIX)/lib/systemd/user

.PHONY: all bootstrap build test demo desk examples docs bench bench-routes instructions fuzz lint format check install install-files install-opener desktop-database uninstall clean

all: build

# Installs the Debian packages that are missing; does nothing, quickly, when none is.
bootstrap:
	@scripts/bootstrap

# In .build/release, with Swift's own libraries inside. A type that is known is not looked up by its name while the program runs,
# which is half of what a link's command would do (docs/performance.md). No library lies beside the programs, so none is looked for there.
PRODUCTS ?= usher usher-command usherd usher-listen
build:
	for product in $(PRODUCTS); do swift build -c release --static-swift-stdlib --disable-local-rpath --product $$product \
	  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors || exit; done

test: bootstrap
	swift build --build-tests
	@scripts/test

demo: bootstrap
	@scripts/demo

# A shell on a desktop made for it, with Usher installed: to try what you write, and to touch nothing of your own.
desk: bootstrap
	@scripts/desk-shell

# Every program of Examples/ by everything that it promises: ARGUMENTS="--all", or "python qt".
examples:
	@scripts/bootstrap examples
	@scripts/examples $(ARGUMENTS)

# The libraries' documentation, .build/Usher.doccarchive; links that lead nowhere are errors.
docs: bootstrap
	@scripts/docs

# Ours and the peers' figures in one table: make bench ARGUMENTS="--quick --json figures.json running plain".
bench:
	@scripts/bootstrap bench
	@scripts/bench $(ARGUMENTS)

# Route tables alone; ARGUMENTS=--quick leaves out the peer that takes minutes to build.
bench-routes:
	@scripts/bootstrap bench
	@scripts/bench-routes $(ARGUMENTS)

# Instructions of hot paths, held to Benchmarks/instructions.txt: make instructions ARGUMENTS=--write keeps what is counted.
instructions: bootstrap
	@scripts/check-instructions --self-test
	@scripts/check-instructions $(ARGUMENTS)

# Replays what is kept of each fuzzer, then lets each look for more: make fuzz SECONDS=600 TARGETS="url table".
SECONDS ?= 60
fuzz: bootstrap
	@scripts/fuzz $(SECONDS) $(TARGETS)

lint:
	@scripts/lint

# Rewrites the Swift files in the shape that lint asks for.
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

# The templates of desktop/, with the suffix .in, and where each goes.
entries = org.usher.Handler.desktop org.usher.Callback.desktop
services = org.usher.Broker1.service org.usher.Handler.service
units = usherd.service
# What the guide tells its readers to copy as it is.
copies = Examples/gtk/application1.py Examples/electron/envelope.js
fill = sed -e 's|@bindir@|$(bindir)|g'

install: build
	@$(MAKE) --no-print-directory install-files
	@$(MAKE) --no-print-directory desktop-database

# The applications by their types, which packages keep up by themselves.
desktop-database:
	@if [ -z '$(DESTDIR)' ] && [ -d '$(datadir)/applications' ] && command -v update-desktop-database >/dev/null; then \
	  update-desktop-database -q '$(datadir)/applications'; fi

# Needs no root when DESTDIR or PREFIX is the caller's own. Everybody may read what is installed, whatever the umask.
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

# Makes usher the system's opener: programs call it as xdg-open. The real one of the distribution, if there is one, stays where
# it is; what comes first in PATH is called.
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
