#!/usr/bin/env bash
# Runs tests in virtual machines with Debian's own kernel: where all control groups of version 2 are, where those of version 1
# are, where the kernel has no Landlock, where systemd is the first process. Needs neither root nor hardware; the processor is computed, some 10 times slower.
#
#   tests/vm/run.sh [--long] [MACHINE...]     default: all machines of the table
#
# One line a group of tests, "GROUP: N passed, N failed, N skipped". Exit status 0 when nothing failed, else 1; 2 for bad
# arguments; 77 where there can't be such a machine (another processor, no Debian).
# PADDOCK_BIN: the folder of the programs (default: build/check/bin).
set -uo pipefail

cd -- "$(dirname -- "$(readlink -f -- "$0")")/../.." || exit 1
. .ci/common.sh

readonly CACHE=build/check/vm
readonly USER_ID=20007  # as in ./check
readonly MEMORY_MB=2048 GROUP_SECONDS=600
. tests/vm/images.sh

# MACHINE   what is added to the kernel's command line
readonly MACHINES="
cgroup2      paddock.cgroups=v2
cgroup1      paddock.cgroups=v1
no-landlock  paddock.cgroups=v2 lsm=lockdown,yama,apparmor
systemd      paddock.cgroups=v2 paddock.init=systemd systemd.unit=paddock-tests.service systemd.show_status=no
"
# MACHINE    WHEN    GROUP           UID       PROGRAM     FILTER       (WHEN: always, or only with --long)
readonly TEST_GROUPS="
cgroup2      always  doctor-root     0         vm_tests    Cgroup2.*
cgroup2      always  doctor-user     $USER_ID  vm_tests    Cgroup2.*
cgroup2      always  jail-root       0         jail_tests  *
cgroup2      always  jail-user       $USER_ID  jail_tests  *
cgroup2      long    run-root        0         flow_tests  RunCommand*
cgroup2      long    run-user        $USER_ID  flow_tests  RunCommand*
cgroup1      always  doctor-root     0         vm_tests    Cgroup1.*
cgroup1      always  doctor-user     $USER_ID  vm_tests    Cgroup1.*
cgroup1      always  limits-root     0         jail_tests  LimitsOnThisMachine.*
cgroup1      always  limits-user     $USER_ID  jail_tests  LimitsOnThisMachine.*
no-landlock  always  refused-root    0         vm_tests    NoLandlock.*
no-landlock  always  refused-user    $USER_ID  vm_tests    NoLandlock.*
systemd      always  session-user    $USER_ID  vm_tests    SystemdUser.*
systemd      always  session-root    0         vm_tests    SystemdRoot.*
"

usage() {
  printf 'run.sh: %s\nusage: tests/vm/run.sh [--long] [MACHINE...]; machines: %s\n' "$1" "$(cut -d ' ' -f 1 <<<"$MACHINES" | xargs)" >&2
  exit 2
}

long=no
wanted=()
for word in "$@"; do
  case $word in
    --long) long=yes ;;
    -*) usage "unknown option: $(printf '%q' "$word")" ;;
    *) grep -q "^$word  *" <<<"$MACHINES" || usage "no such machine: $(printf '%q' "$word")"; wanted+=("$word") ;;
  esac
done
bin=$(readlink -f -- "${PADDOCK_BIN:-build/check/bin}") && [ -x "$bin/paddock" ] || usage "no programs in ${PADDOCK_BIN:-build/check/bin}: build first"

if [ "$(uname -m)" != x86_64 ] || ! command -v apt-get >/dev/null; then
  complain "the virtual machines need an x86-64 processor, and Debian for their kernel"
  exit 77
fi

failures=0
work=$(mktemp -d /tmp/paddock-vm-XXXXXX) || exit 1
qemu=
clean() {
  [ -z "$qemu" ] || kill "$qemu" 2>/dev/null
  rm -rf -- "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The end of what a machine wrote on its console, without what moves a cursor.
show_console() {
  echo "  the console's end:" >&2
  tr -cd '\11\12\40-\176' <"$1" | tail -n 30 | sed 's/^/    /' >&2
}

# run_machine NAME COMMAND_LINE: one start, and the counts of its groups.
run_machine() {
  local machine=$1 command_line=$2 status=0 groups group uid program filter expected good bad left began=$SECONDS
  groups=$work/$machine.groups
  awk -v machine="$machine" -v long="$long" '$1 == machine && ($2 == "always" || long == "yes") {print $3, $4, $5, $6}' <<<"$TEST_GROUPS" >"$groups"
  [ -s "$groups" ] || return 0
  make_disk "$work" "$machine" || return 1
  mkdir "$work/$machine"
  local limit=$((60 + GROUP_SECONDS * $(wc -l <"$groups")))
  timeout -k 5 "$limit" qemu-system-x86_64 -accel tcg,thread=multi -cpu Nehalem -smp 2 -m "$MEMORY_MB" -nodefaults -no-user-config -no-reboot \
    -display none -monitor none -nic none -serial "file:$work/$machine.console" \
    -kernel "$CACHE/kernel/vmlinuz" -initrd "$work/initramfs.cpio" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off paddock.seconds=$GROUP_SECONDS $command_line" \
    -drive "if=none,id=root,format=raw,readonly=on,file=$CACHE/root.sqfs" -device virtio-blk-pci,drive=root \
    -drive "if=none,id=disk,format=raw,cache=unsafe,file=$work/$machine.disk" -device virtio-blk-pci,drive=disk \
    -device virtio-serial-pci -chardev "file,id=results,path=$work/$machine.tar" -device virtserialport,chardev=results,name=results \
    >"$work/$machine.qemu" 2>&1 </dev/null &
  qemu=$!
  wait "$qemu" || status=$?
  qemu=
  tar -x --ignore-zeros -C "$work/$machine" -f "$work/$machine.tar" 2>/dev/null
  if [ "$status" -ne 0 ] || ! grep -q '^vm: done' "$work/$machine.console"; then
    complain "$machine did not come to its end (exit status $status of qemu; 124: $limit s were over)"
    cat "$work/$machine.qemu" >&2
    show_console "$work/$machine.console"
    failures=$((failures + 1))
  fi
  while read -r group uid program filter; do
    expected=$("$bin/$program" --gtest_list_tests --gtest_filter="$filter" | grep -c '^  ')
    read -r good bad left < <(python3 tests/vm/count.py "$expected" "$work/$machine" "$group")
    echo "$machine/$group: ${good:-0} passed, ${bad:-1} failed, ${left:-0} skipped"
    failures=$((failures + ${bad:-1}))
  done <"$groups"
  say "$machine took $((SECONDS - began)) s"
  rm -f "$work/$machine.disk"
}

mkdir -p "$CACHE" && make_kernel && make_root "$work" && make_initramfs "$work" || { complain "no virtual machine could be made (above)"; exit 1; }
while read -r machine command_line; do
  [ -n "$machine" ] || continue
  if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $machine "* ]]; then continue; fi
  run_machine "$machine" "$command_line" || { complain "$machine could not be started (above)"; failures=$((failures + 1)); }
done <<<"$MACHINES"
[ "$failures" -eq 0 ]
