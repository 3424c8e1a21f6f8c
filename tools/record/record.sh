#!/bin/sh
# Records what this machine's NVIDIA GPU makes of every deterministic arithmetic form, as an archive that RecordedTest replays.
# Needs a GPU of compute capability 7.5 or later with a driver of CUDA 13, JDK 25, Maven and zip. Without all of them it ends with 1 and changes no archive.
# Usage: tools/record/record.sh NAME     writes ptx-runtime/src/test/resources/recorded/NAME.zip
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
ptx-runtime/target/ptx/bin/ptx record --out "$work/out" "$work/set"
(cd "$work/out" && zip -q -9 "../$name.zip" ./*)
mv "$work/$name.zip" "ptx-runtime/src/test/resources/recorded/$name.zip"
ls -l "ptx-runtime/src/test/resources/recorded/$name.zip"
