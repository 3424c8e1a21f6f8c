#!/bin/sh
# Records what this machine's NVIDIA GPU makes of the record set, as archives that RecordedTest replays: what has one right result, approximations, and sums of matrix products.
# Needs a GPU of compute capability 7.5 or later with a driver of CUDA 13, JDK 25, Maven and zip. Without all of them it ends with 1 and changes no archive.
# Usage: tools/record/record.sh NAME     writes NAME.zip, NAME-approximate.zip and NAME-matrix.zip to ptx-runtime/src/test/resources/recorded
set -eu
case "${1-}" in
    "" | *[!A-Za-z0-9._-]* | .*) echo "record.sh: give the archive a name, such as h200, of letters, digits, '.', '_' and '-'" >&2; exit 2 ;;
esac
name=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
for tool in "$java" mvn zip; do
    command -v "$tool" > /dev/null || { echo "record.sh: there is no $tool" >&2; exit 1; }
done
cd "$root"
mvn -q package -DskipTests
work=$(mktemp -d ptx-runtime/target/record.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
libraries=$(find ptx-runtime/target/ptx/lib -name '*.jar' | tr '\n' ':')
"$java" -cp "ptx-runtime/target/test-classes:$libraries" io.ptx4j.agreement.RecordSet "$work/set"
archives=
for kind in exact approximate matrix; do
    ptx-runtime/target/ptx/bin/ptx record --out "$work/out-$kind" "$work/set/$kind"
    archive=$name
    [ $kind = exact ] || archive=$name-$kind
    # Without times and owners: the same bits give the same archive.
    (cd "$work/out-$kind" && find . -type f -exec touch -t 202001010000 {} + && find . -type f | sort | TZ=UTC zip -q -9 -X "../$archive.zip" -@)
    archives="$archives $archive.zip"
done
for archive in $archives; do
    mv "$work/$archive" "ptx-runtime/src/test/resources/recorded/$archive"
    ls -l "ptx-runtime/src/test/resources/recorded/$archive"
done
