#!/bin/sh
# Records what this machine's NVIDIA GPU makes of every deterministic arithmetic form, as an archive that RecordedTest replays.
# Needs a GPU of compute capability 7.5 or later with a driver of CUDA 13, JDK 25, Maven and zip.
# Usage: tools/record/record.sh NAME     writes ptx-runtime/src/test/resources/recorded/NAME.zip
set -eu
name=${1:?give the archive a name, such as h200}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
mvn -q package -DskipTests
libraries=$(find ptx-runtime/target/ptx/lib -name '*.jar' | tr '\n' ':')
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "ptx-runtime/target/test-classes:$libraries" io.ptx4j.agreement.RecordSet "$work/set"
ptx-runtime/target/ptx/bin/ptx record --out "$work/out" "$work/set"
(cd "$work/out" && zip -q -9 "$work/$name.zip" ./*)
mv "$work/$name.zip" "ptx-runtime/src/test/resources/recorded/$name.zip"
ls -l "ptx-runtime/src/test/resources/recorded/$name.zip"
