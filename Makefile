# On a fresh Debian machine with Swift 6, make test and make demo do everything that they need.

PREFIX ?= /usr/local
DESTDIR ?=
# The directory of the built programs, from which `install-files` copies them.
BINARIES ?= .build/release

# The prefix in which `install-session` makes programs of another PREFIX known; empty means /usr/local for root, else ~/.local.
SESSION ?=
# A directory of user units, for a PREFIX for which scripts/install-files knows none.
UNITDIR ?=
installer = scripts/install-files --prefix '$(PREFIX)' --destdir '$(DESTDIR)' --binaries '$(BINARIES)' --session '$(SESSION)' --unitdir '$(UNITDIR)'

# Linker options of the installed programs, by which links open sooner and the broker uses less memory (docs/performance.md). A packager
# overrides them: `LINK_usher-command=` makes that program position-independent.
linker = $(CURDIR)/linker
# Without an exported symbol and with libstdc++ and libgcc inside, the loader looks up fewer symbols. Identical functions are merged.
LINK ?= -Xswiftc -use-ld=lld -Xswiftc '-L$(linker)' -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
  -Xlinker '--version-script=$(linker)/symbols.map' -Xlinker --icf=safe
# The functions of the Swift and C++ libraries that the broker executes are side by side, so that fewer pages are resident.
LINK_usherd ?= -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker '--symbol-ordering-file=$(linker)/usherd.order' -Xlinker --no-warn-symbol-ordering
# The command runs for milliseconds. At a fixed address the loader relocates, and so writes, none of its pages.
LINK_usher-command ?= -Xlinker --no-pie
# Each link starts this program, and the loader would take most of its time. Random addresses cost it a tenth of a millisecond.
LINK_usher ?= -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-pie -Xlinker --icf=safe

.PHONY: all bootstrap build test demo desk examples docs bench bench-routes instructions fuzz deb build-usher lint format check install install-files install-session install-opener uninstall clean

all: build

# Installs missing Debian packages; finishes at once if none is missing.
bootstrap:
	@scripts/bootstrap

# Builds in .build/release, with Swift's libraries linked statically. Types that are known at compile time are not looked up by name at
# run time, because that would be half of the work of opening a link (docs/performance.md). The programs have no run path, because no
# libraries are installed beside them.
PRODUCTS ?= usher-command usherd usher-triggers usher-remote usher-listen usher
release = swift build -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
build: $(patsubst %,build-%,$(filter-out usher,$(PRODUCTS)) $(filter usher,$(PRODUCTS)))

build-%:
	$(release) --product $* $(LINK) $(LINK_$*)

# Builds the front in a directory of its own, because its other compiler options would make SwiftPM compile the shared modules again.
build-usher:
	$(release) --product usher $(LINK_usher) --scratch-path .build/front
	directory=$$(swift build -c release --show-bin-path) && install -D -m 755 .build/front/release/usher "$$directory/usher"

test:
	@scripts/bootstrap test
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
	@MATCHIT='$(MATCHIT)' scripts/bench-routes $(ARGUMENTS)

# Compares the instructions of hot paths with Benchmarks/instructions.txt: make instructions ARGUMENTS=--write records them.
instructions:
	@scripts/bootstrap test
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
# the names of code and tests in documents, the version, the reasons of recorded growth, and the code of the guide.
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
	@scripts/check-tables --self-test
	@scripts/check-tables
	@scripts/check-version
	@scripts/check-instructions --history
	@scripts/report-page
	@scripts/check-guide --self-test
	@/usr/bin/python3 scripts/acceptance --self-test
	@scripts/check-guide

# Not a second prerequisite, because `make -j` would install the previous programs during the build.
install: build
	@$(MAKE) --no-print-directory install-files

# The part of `install` after the build. Does not need root if DESTDIR or PREFIX is writable. The installed files are readable by all
# users, independent of the umask.
install-files:
	@$(installer) files

# For a PREFIX in which desktops do not look, such as /opt/usher: makes its programs known in SESSION (/usr/local for root, else ~/.local).
install-session:
	@$(installer) session

# Installs usher under the name xdg-open, so that programs call it, unless PREFIX has another xdg-open. Programs call the first xdg-open
# in PATH.
install-opener:
	@$(installer) opener

# Removes what the targets above created, and nothing else.
uninstall:
	@$(installer) remove

# Builds the Debian packages in .build/deb, and checks them with lintian. scripts/check-package tests them.
deb:
	@scripts/bootstrap package
	@$(MAKE) --no-print-directory build
	@scripts/build-package '$(BINARIES)'

clean:
	swift package clean
	rm -rf .build/front .build/deb
