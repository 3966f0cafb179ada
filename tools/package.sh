#!/usr/bin/env bash
# Makes a tar archive of aiec for this machine: program, completions, manual, licences, documents,
# examples. The same inputs give the same bytes.
#
#   tools/package.sh [BINARY] [FOLDER]
#
# BINARY is a compiled aiec; without it, cargo compiles one for release. The archive and its content
# as a folder are put into FOLDER, by default target/package. `cargo deb --no-build -p aiec` makes a
# Debian package of that folder.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
binary="${1:-}"
out="${2:-$root/target/package}"
if [ -z "$binary" ]; then
    cargo build --manifest-path "$root/Cargo.toml" --release --locked -p aiec
    binary="${CARGO_TARGET_DIR:-$root/target}/release/aiec"
fi

version="$("$binary" --version | cut -d' ' -f2)"
name="aiec-$version-$(uname -m)-linux"
stage="$out/aiec"
rm -rf "$stage"
share="$stage/share"
documents="$share/doc/aiec"
mkdir -p "$stage/bin" "$share/man/man1" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d" "$documents"

install -m 755 "$binary" "$stage/bin/aiec"
"$binary" completions bash > "$share/bash-completion/completions/aiec"
"$binary" completions zsh > "$share/zsh/site-functions/_aiec"
"$binary" completions fish > "$share/fish/vendor_completions.d/aiec.fish"

"$binary" man > "$share/man/man1/aiec.1"
"$binary" man new kernel > "$share/man/man1/aiec-new-kernel.1"
commands="$("$binary" --help | sed -n '/^Commands:/,/^Options:/s/^  \([a-z]\+\) .*/\1/p')"
for command in $commands; do
    [ "$command" = help ] || "$binary" man "$command" > "$share/man/man1/aiec-$command.1"
done
gzip -n "$share"/man/man1/*.1

# The documents link to one another by the paths of the repository.
cp "$root"/{README,CHANGELOG,ARCHITECTURE,CONTRIBUTING}.md "$root"/LICENSE-* "$documents"
cp -r "$root"/docs "$root"/examples "$documents"
(
    cd "$root"
    cp -r --parents compiler/diag/codes "$documents"
    # Sources and tables that pages name.
    grep -oh '](\.\./[^)#]*' docs/*.md | sed 's,^](\.\./,,' | sort -u | while read -r path; do
        if [ -f "$path" ]; then cp --parents "$path" "$documents"; fi
    done
)
chmod -R u=rwX,go=rX "$stage"

tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 \
    --transform "s,^aiec,$name," -cf - aiec | gzip -n > "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
