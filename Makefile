# The commands of the project. Every target is a line or two that can be typed by hand.

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 30
FAULTS ?= 100000
PAIRS ?= ../shared/corpus/pairs
PAIRS_OPTIONS ?=

# The flags of the released tool: hardened, stripped, and without the name of this folder, which is
# also in the hash of a module that incremental code generation keeps in the program.
RELEASE_FLAGS := -c release --static-swift-stdlib -Xlinker -s -Xlinker -z -Xlinker now \
  -Xcc -D_FORTIFY_SOURCE=2 -Xcc -fstack-protector-strong -Xcc "-ffile-prefix-map=$(CURDIR)=." \
  -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
RELEASED := .build/shipped/carve
# Only editors need the index of a build, and writing it takes a fifth of the time. Tests/XCTMain.swift
# starts the tests without it.
NO_INDEX := --disable-index-store
TESTS := debug/carvePackageTests.xctest --testing-library swift-testing
# A file that is newer than the sources of the tool at .build/debug/carve. While tests run, the
# package manager holds its lock, and targets that need only the tool must not ask it again.
BUILT := .build/built
STATIC_FLAGS := $(RELEASE_FLAGS) --scratch-path .build/static -Xswiftc -static-executable -Xlinker -lz -Xlinker -lm \
  -Xcc -DCARVE_STATIC
STATIC := .build/static/carve
LIBRARY := .build/library
MANUAL := .build/man
COMPLETIONS := .build/completions
SOURCES := $(shell find Sources Package.swift) Makefile
INSTALLED := "$(DESTDIR)$(PREFIX)"

# See Package.swift: all builds of this folder that are not released use one configuration. It is
# optimised, and warnings are errors. Another configuration would build everything again.
run build build-tests test test-modules test-tool check test-library test-schemas test-lsp test-editors test-package distributed preview-test screenshots pairs edits vector-suites kept-vectors kills asan tsan: \
  export CARVE_OPTIMIZED_TESTS := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 18

run: packages ## build, then compile, thin and query the sample catalogues
	swift build $(NO_INDEX) --product carve
	SampleCatalogs/tour .build/debug/carve

$(BUILT): $(SOURCES)
	.ci/packages
	swift build $(NO_INDEX) --product carve
	@touch $@

# Tests that start the tool mostly wait for it, so the others run beside them.
test: build-tests ## run every test (UPDATE_GOLDEN=1 rewrites the expected texts)
	@$(MAKE) --no-print-directory -j2 --output-sync=target test-modules test-tool

test-modules: build-tests ## run the tests of modules
	.build/$(TESTS) --skip '^EndToEndTests\.'

test-tool: build-tests ## run the tests that start the tool
	.build/$(TESTS) --filter '^EndToEndTests\.'

build-tests: packages ## build every test, and the tool
	swift build $(NO_INDEX) --build-tests
	@touch $(BUILT)

check: packages ## run the tests of one module (MODULE=Codecs), or those with a name (NAME=palette)
	@[ -d "Tests/$(MODULE)Tests" ] || [ "$(NAME)" ] || { \
	  echo "make check needs MODULE=NAME, a module with tests in Tests, or NAME=PATTERN" >&2; exit 1; }
	swift build $(NO_INDEX) --build-tests
	.build/$(TESTS) --filter '$(if $(NAME),$(NAME),^$(MODULE)Tests\.)'

build: packages ## build the tool as it is tested
	swift build $(NO_INDEX) --product carve

release: $(RELEASED) ## build the tool as it ships: optimised, static Swift library, stripped

# The targets are files, so that `sudo make install` after `make all` builds nothing and needs no
# Swift.
$(RELEASED): $(SOURCES)
	.ci/packages
	swift build $(RELEASE_FLAGS) --product carve
	install -D -m 755 .build/release/carve $@

static: $(STATIC) ## build the tool without any library: one file for every Linux

# A static program that loads libraries would need those of this machine. It loads none, so the
# linker's warning about dlopen does not matter.
$(STATIC): $(SOURCES)
	.ci/packages
	swift build $(STATIC_FLAGS) --product carve
	.ci/test-static .build/static/release/carve
	install -m 755 .build/static/release/carve $@

artifactbundle: $(STATIC) ## make a package of Carve with the tool as a program: .build/artifactbundle/carve
	.ci/artifact-bundle $(STATIC) .build/artifactbundle

WHEEL = python3 .ci/wheel $(STATIC) "$$(sed -n 's/^\#define CARVE_VERSION "\(.*\)"/\1/p' Sources/CCarve/include/carve.h)" \
  "$$(.ci/source-date)" .build/wheel

wheel: $(STATIC) library ## make Python wheels: with the library, and with the tool alone for other systems: .build/wheel
	.ci/packages --with python3
	rm -rf .build/wheel
	$(WHEEL) "$$(readlink -f $(LIBRARY)/libcarve.so)"
	$(WHEEL)

test-wheel: wheel ## install the wheel in a fresh virtual environment and test the Python package
	python3 -c 'import ensurepip' 2>/dev/null || .ci/packages --with python3-venv
	.ci/test-wheel .build/wheel/carve-*-manylinux_*.whl .build/test-wheel

test-lsp: packages $(BUILT) ## drive the language server by pygls and by Neovim
	python3 -c 'import ensurepip' 2>/dev/null || .ci/packages --with python3-venv
	command -v nvim >/dev/null || .ci/packages --with neovim || true
	.ci/test-lsp .build/debug/carve .build/test-lsp

release-check: ## compare version, changes, documents and tag before a release (TAG=..., PACKAGES=yes)
	.ci/release-check $(if $(PACKAGES),--packages) $(TAG)

test-release: ## test the check, the wheel and the workflow of releases
	.ci/packages --with python3-yaml
	python3 .ci/test-release

deb: $(STATIC) all ## build Debian packages, and a tar file for other systems: .build/deb
	.ci/packages --with debhelper fakeroot lintian
	.ci/deb .build/deb

reproducible: ## build the packages of this commit in two folders and compare them
	.ci/test-reproducible .build/reproducible

test-deb: ## install, use and purge the packages in a fresh Debian: after make deb
	.ci/packages --with mmdebstrap
	.ci/test-deb .build/deb

builds: $(STATIC) library ## build the samples of SampleCatalogs/Builds (BUILDS="make CMake ...")
	.ci/packages --with cmake ninja-build meson bazel-bootstrap
	.ci/test-builds $(STATIC) $(LIBRARY) .build/builds $(BUILDS)

# Installs a database, and the part of Python that Debian packages separately and programs from PyPI
# need; only if `lost` is requested.
distributed: LOST_PACKAGES = $(if $(filter lost,$(ENGINES)),postgresql \
  $(shell python3 -c 'import ensurepip' 2>&- || echo python3-venv))
distributed: packages $(BUILT) ## compile on Bazel's remote workers, with HTTP caches, by ninja (ENGINES=lost: workers die)
	for package in bazel-bootstrap bubblewrap fuse3 nginx-light ninja-build $(LOST_PACKAGES); do \
	  .ci/packages --with $$package || true; done
	.ci/test-distributed .build/debug/carve .build/distributed $(ENGINES)

test-workflows: $(STATIC) ## run the steps of the action and the workflows for GitHub and GitLab
	.ci/packages --with python3-yaml
	python3 .ci/test-workflows $(STATIC) .build/workflows

test-editors: packages $(BUILT) ## run the extension of VS Code with the language server, in Node, and pack it
	command -v node >/dev/null || .ci/packages --with nodejs
	for file in Sources/Editors/vscode/*.js; do node --check $$file || exit; done
	node Tests/Editors/vscode.js .build/debug/carve
	python3 Sources/Editors/vscode/pack.py .build/carve.vsix
	python3 -m zipfile --test .build/carve.vsix

test-package: packages $(BUILT) ## use CarveRuntime and the plugin from other packages, in both build systems
	.ci/test-package .build/debug/carve .build/test-package

all: release man completions library ## build all that is installed

install: all ## install tool, library, manual, completions (PREFIX, DESTDIR)
	.ci/install-library $(LIBRARY) "$(PREFIX)" "$(DESTDIR)"
	install -D -m 755 $(RELEASED) $(INSTALLED)/bin/carve
	install -d $(INSTALLED)/libexec/carve $(INSTALLED)/share/man/man1
	for tool in actool assetutil xcrun; do \
	  ln -sf ../../bin/carve $(INSTALLED)/libexec/carve/$$tool || exit; \
	done
	install -m 644 $(MANUAL)/*.1 $(INSTALLED)/share/man/man1
	for tool in actool assetutil; do \
	  ln -sf carve-$$tool.1 $(INSTALLED)/share/man/man1/$$tool.1 || exit; \
	done
	install -D -m 644 $(COMPLETIONS)/carve.bash $(INSTALLED)/share/bash-completion/completions/carve
	install -D -m 644 $(COMPLETIONS)/carve.zsh $(INSTALLED)/share/zsh/site-functions/_carve
	install -D -m 644 $(COMPLETIONS)/carve.fish $(INSTALLED)/share/fish/vendor_completions.d/carve.fish

library: $(LIBRARY)/version ## build libcarve.so and libcarve.a, which need the C library alone

$(LIBRARY)/version: $(SOURCES) .ci/build-library
	.ci/build-library $(LIBRARY)

embedded: library ## compile the core of the run time in Embedded Swift: the library is built so

test-library: packages library ## run programs in C and C++ against the installed library
	rm -rf $(LIBRARY)/tree
	.ci/install-library $(LIBRARY) "$(CURDIR)/$(LIBRARY)/tree"
	swift build $(NO_INDEX) --build-tests
	CARVE_LIBRARY="$(CURDIR)/$(LIBRARY)/tree" .build/$(TESTS) --filter CInterfaceTests

preview-test: packages $(BUILT) ## look at pages of the preview in a headless Chromium, if one is or can be installed
	Tests/Preview/run --find || .ci/packages --with chromium || true
	Tests/Preview/run .build/debug/carve

test-schemas: packages $(BUILT) ## validate files of the folders in DIR (SampleCatalogs) with the schemas; needs jsonschema of PyPI
	python3 Tests/Schemas/run .build/debug/carve $(DIR)

screenshots: packages ## draw the pictures of README.md and the tutorial: SampleCatalogs/Pictures
	Tests/Preview/run --find || .ci/packages --with chromium
	swift build $(NO_INDEX) --product carve
	Tests/Preview/screenshots .build/debug/carve SampleCatalogs/Pictures

examples: library ## build programs in C and C++ over the library: .build/examples/picture, window, sheet
	mkdir -p .build/examples
	for program in picture window; do \
	  cc -O2 -Wall -Wextra -ISources/CCarve/include SampleCatalogs/Programs/$$program.c \
	    $(LIBRARY)/libcarve.a -lm -o .build/examples/$$program || exit; \
	done
	c++ -std=c++17 -O2 -Wall -Wextra -ISources/CCarve/include SampleCatalogs/Programs/sheet.cc \
	  $(LIBRARY)/libcarve.a -lm -o .build/examples/sheet

man: $(MANUAL)/carve.1 ## write the manual pages to .build/man

$(MANUAL)/carve.1: $(RELEASED)
	mkdir -p $(MANUAL)
	for page in $$($(RELEASED) man); do $(RELEASED) man $$page > $(MANUAL)/$$page.1 || exit; done

completions: $(COMPLETIONS)/carve.fish ## write completions for bash, zsh and fish to .build/completions

$(COMPLETIONS)/carve.fish: $(RELEASED)
	mkdir -p $(COMPLETIONS)
	for shell in bash zsh fish; do \
	  $(RELEASED) completions $$shell > $(COMPLETIONS)/carve.$$shell || exit; done

lint: ## check format, sizes, imports, constructs and the words of comments
	swift format lint --strict -r Package.swift Sources Tests
	.ci/lint

# This only checks that the library compiles, and that the sources of the programs are valid.
bench-builds: ## compile the library for C, and check the sources of the benchmarks
	OPTIMIZATION=-Onone .ci/build-library .build/bench-builds
	for part in codecs decode traits vectors; do \
	  OPTIMIZATION=-Onone CARVE_ONLY_BUILD="$(CURDIR)/.build/bench-builds" \
	    Tests/Benchmarks/$$part.bench Makefile || exit; done

bench: release ## measure the tool against its peers on this machine
	Tests/Benchmarks/run $(RELEASED)

pairs: packages ## compare with archives of Apple's tool (PAIRS=folder PAIRS_OPTIONS="--worst 30 DIR")
	swift run $(NO_INDEX) pairs $(PAIRS_OPTIONS) $(PAIRS)
	@swift build $(NO_INDEX) --product carve
	Tests/RoundTrips/run .build/debug/carve $(PAIRS)

edits: packages ## edit every archive of a folder, and see that nothing else changes (DIR=folder)
	@[ -d "$(DIR)" ] || { echo "make edits needs DIR=FOLDER, a folder of archives" >&2; exit 1; }
	swift build $(NO_INDEX) --product carve
	Tests/Edits/run .build/debug/carve "$(DIR)"

vector-suites: ## compare with the SVGs and PDFs of public test suites (DIR=folder PAIRS_OPTIONS="--all")
	@[ -d "$(DIR)" ] || { echo "make vector-suites needs DIR=FOLDER, the folder of a test suite" >&2; exit 1; }
	@.ci/packages --with poppler-utils
	swift build $(NO_INDEX) --product pairs
	.ci/vector-references "$(DIR)" .build/vector-references
	.build/debug/pairs --suites --references .build/vector-references --accepted .ci/vector-accepted \
	  $(PAIRS_OPTIONS) "$(DIR)"

kept-vectors: ## prove that the vectors of a folder draw the same as archives keep them (DIR=folder)
	@[ -d "$(DIR)" ] || { echo "make kept-vectors needs DIR=FOLDER, a folder with PDFs and SVGs" >&2; exit 1; }
	@.ci/packages --with poppler-utils librsvg2-bin qpdf
	swift build $(NO_INDEX) --product kept-vectors
	Tests/KeptVectors/run .build/debug/kept-vectors "$(DIR)"

kills: packages ## kill 200 compiles that share a cache, and see that the next ones are right
	swift build $(NO_INDEX) --build-tests
	CARVE_KILLS=200 .build/$(TESTS) --filter SharedCacheTests

faults: export CARVE_OPTIMIZED_TESTS := 1
faults: packages $(BUILT) ## make FAULTS calls to the system fail, one after the other (SEED=N: one run again)
	nice -n 10 python3 -B Tests/Faults/run .build/debug/carve \
	  $(if $(SEED),--seed $(SEED),--runs $(FAULTS))

fuzz: packages ## fuzz every reader of foreign bytes for FUZZ_SECONDS each (CARVE_CORPUS adds seeds)
	Tests/Fuzz/run $(FUZZ_SECONDS)

# Swift's lazy globals live until the program ends and hide their pointers, so the sanitizer would
# report them as leaks. test-library searches leaks of the library with valgrind, and the fuzzers
# search leaks everywhere.
asan: export CARVE_SANITIZER := address
asan: packages ## run every test under the address sanitizer
	swift build $(NO_INDEX) --build-tests --sanitize address --scratch-path .build/asan
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 SWIFT_BACKTRACE=enable=no .build/asan/$(TESTS)

# A short run, which shows that the sanitizer works with the tool at all. The tool is not optimised,
# because optimising takes longer than the run. A report of the sanitizer ends the command with an error.
SANITIZED := .build/sanitized
sanitized: export CARVE_SANITIZER := address
sanitized: export ASAN_OPTIONS := detect_leaks=0
sanitized: packages ## compile, thin, query and extract the samples under the address sanitizer
	swift build $(NO_INDEX) --product carve --sanitize address -Xswiftc -gnone --scratch-path $(SANITIZED)
	rm -rf $(SANITIZED)/files
	$(SANITIZED)/debug/carve compile $(filter-out %/Broken.xcassets,$(wildcard SampleCatalogs/*.xcassets)) \
	  -o $(SANITIZED)/all.car --min-severity error
	$(SANITIZED)/debug/carve thin $(SANITIZED)/all.car --device iPhone15,2 --prove -o $(SANITIZED)/phone.car >/dev/null
	$(SANITIZED)/debug/carve resolve $(SANITIZED)/phone.car Star --device iPhone15,2
	$(SANITIZED)/debug/carve extract $(SANITIZED)/phone.car -o $(SANITIZED)/files >/dev/null
	@echo "the samples run under the address sanitizer"

tsan: export CARVE_SANITIZER := thread
tsan: packages ## run every test under the thread sanitizer
	swift build $(NO_INDEX) --build-tests --sanitize thread --scratch-path .build/tsan
	clang -O1 -Wall -Werror -fPIC -shared -o .build/tsan/locks.so Tests/Sanitizers/locks.c
	LD_PRELOAD="$(CURDIR)/.build/tsan/locks.so" TSAN_OPTIONS=allocator_may_return_null=1 \
	  SWIFT_BACKTRACE=enable=no .build/tsan/$(TESTS)

samples: ## draw the pictures of the sample catalogues again
	python3 SampleCatalogs/draw

doctor: ## say what this machine lacks
	.ci/packages --check

packages:
	@.ci/packages

clean: ## remove everything that was built
	rm -rf .build Tests/Fuzz/.build Tests/Benchmarks/.build

.PHONY: help run test test-modules test-tool test-lsp check build build-tests release static all library embedded test-library examples install man completions \
	lint bench bench-builds pairs edits vector-suites kept-vectors kills faults fuzz asan sanitized tsan samples doctor packages clean artifactbundle deb test-deb builds reproducible \
	distributed test-package test-editors test-workflows preview-test test-schemas screenshots wheel test-wheel release-check test-release
