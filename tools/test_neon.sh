#!/usr/bin/env bash
# Runs the tests of the kernels as AArch64 code under an emulator: the same plain references, the
# same expected bits, on NEON. Installs qemu-user and g++-aarch64-linux-gnu where they are missing;
# libraries of that architecture are unpacked below build/neon, nothing of them is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/build/neon
root=$work/root
packages=(libhwy1 libhwy-dev libgtest-dev)
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/objects"

if ! command -v qemu-aarch64 aarch64-linux-gnu-g++ > /dev/null; then
  sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
  $sudo apt-get install -q -y --no-install-recommends qemu-user g++-aarch64-linux-gnu > "$work/apt.log"
fi
if [ ! -e "$root/usr/include/hwy/highway.h" ]; then
  apt=(apt-get -q -o APT::Architectures::=amd64 -o APT::Architectures::=arm64
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
  "${apt[@]}" update > "$work/apt.log"
  (cd "$work" && "${apt[@]}" download "${packages[@]/%/:arm64}" >> "$work/apt.log")
  for package in "$work"/*_arm64.deb; do dpkg -x "$package" "$root"; done
  cp -r /usr/include/tl "$root/usr/include/"  # headers alone
fi

no_sve='-DHWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)'  # as in CMakeLists.txt
libraries=$root/usr/lib/aarch64-linux-gnu
for source in src/kernels/*.cc src/text/status.cc src/text/messages.cc; do
  aarch64-linux-gnu-g++ -std=c++20 -O2 -ffp-contract=off "$no_sve" -Isrc -Iinclude -Itests \
    -isystem "$root/usr/include" -c "$source" -o "$work/objects/$(basename "$source" .cc).o"
done
aarch64-linux-gnu-g++ "$work"/objects/*.o -L"$libraries" -lgtest -lgtest_main -lhwy \
  -lhwy_contrib -o "$work/kernels_tests"
# The tests of the choice between instruction sets need more than one.
qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$libraries" "$work/kernels_tests" \
  --gtest_brief=1 --gtest_filter='-IsaTest.*' "$@"
