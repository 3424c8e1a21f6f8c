#!/bin/sh
# Lets ptxas compute arithmetic instructions of constants and writes what it computed as a file that FoldedTest replays.
# Needs ptxas of CUDA 13 (another release: another name for the file, and for FoldedTest), JDK 25 and Maven; no GPU.
# Usage: tools/fold/fold.sh     writes ptx-runtime/src/test/resources/folded/ptxas-13.0.gz
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
ptxas --version | grep release
mvn -q package -DskipTests
libraries=$(find ptx-runtime/target/ptx/lib -name '*.jar' | tr '\n' ':')
file=ptx-runtime/src/test/resources/folded/ptxas-13.0.gz
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "ptx-runtime/target/test-classes:$libraries" io.ptx4j.agreement.folded.FoldSet "$work" "$file" 160
ls -l "$file"
