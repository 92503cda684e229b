# Second half of the virtual machine's start, and then its work: the groups of tests in /work/groups, one after the other.
# Runs in the root file system made by run.sh, as first process or as a service of systemd; what it writes goes to the console.
#
# A line of /work/groups is NAME UID PROGRAM FILTER; the results of each go out by a port of their own, as a tar archive with
# NAME.xml (of GoogleTest), NAME.log and NAME.status, so that nothing that the kernel says can be taken for one.
# It ends the machine that it runs on, so it must be that one.
read -r machine </etc/hostname
[ "$machine" = paddock-vm ] && [ -e /work/groups ] && [ -e /guest-of-paddock ] || { echo "guest.sh: only for the machine that run.sh starts" >&2; exit 1; }
export PATH=/usr/bin:/usr/sbin LANG=C.UTF-8
readonly USER_ID=20007
parameter() { sed -n "s/.*\<paddock\.$1=\([^ ]*\).*/\1/p" /proc/cmdline; }
end() { sync; echo b >/proc/sysrq-trigger; while :; do read -r -t 60 <>/dev/zero; done; }
fail() { echo "vm: $*"; end; }

# Where systemd is the first process these are there.
mount_systems() {
  mount -t proc proc /proc && mount -t sysfs sys /sys && mount -t tmpfs run /run || return 1
  mkdir -p /dev/pts /dev/shm
  mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /dev/pts && mount -t tmpfs -o mode=1777 shm /dev/shm || return 1
  ln -sf /proc/self/fd /dev/fd
  busybox hostname -F /etc/hostname
  busybox ip link set lo up
}
systemd=no
[ ! -d /run/systemd/system ] || systemd=yes
echo "vm: file systems and control groups"
[ "$systemd" = yes ] || mount_systems || fail "no file systems, devices or loopback"
# On a disk: this kernel can't give files of tmpfs other owners (mount_setattr(2), idmapped mounts), which jails of root need.
mkdir -p /work/tmp /work/home/0 "/work/home/$USER_ID" /work/results
chmod 1777 /work/tmp
mount --bind /work/tmp /tmp || fail "no /tmp"
chown -R 0:0 /work/bin /work/tests
chown "$USER_ID:$USER_ID" "/work/home/$USER_ID"

# Version 2: /sys/fs/cgroup/user belongs to the user, as systemd delegates one, and the user's processes are in a group of it.
# Version 1: a hierarchy each, as before systemd 233, in which the user has a group of its own in memory and pids.
groups_of_uid() {
  case $(parameter cgroups) in
    v1) for hierarchy in memory pids cpuacct; do echo "/sys/fs/cgroup/$hierarchy/$1/tests"; done ;;
    *) echo "/sys/fs/cgroup/$1/tests" ;;
  esac
}
make_groups() {
  local folder uid
  case $(parameter cgroups) in
    v1)
      mount -t tmpfs -o mode=755 cgroup /sys/fs/cgroup || return 1
      for folder in memory pids cpuacct; do
        mkdir "/sys/fs/cgroup/$folder" && mount -t cgroup -o "$folder" cgroup "/sys/fs/cgroup/$folder" || return 1
      done ;;
    *)
      mount -t cgroup2 cgroup2 /sys/fs/cgroup && echo "+memory +pids +cpu" >/sys/fs/cgroup/cgroup.subtree_control || return 1
      for uid in 0 $USER_ID; do
        mkdir "/sys/fs/cgroup/$uid" && echo "+memory +pids +cpu" >"/sys/fs/cgroup/$uid/cgroup.subtree_control" || return 1
      done ;;
  esac
  for uid in 0 $USER_ID; do
    for folder in $(groups_of_uid "$uid"); do
      mkdir -p "$folder" && chown -R "$uid:$uid" "${folder%/tests}" || return 1
    done
  done
}
[ "$systemd" = yes ] || make_groups || fail "no control groups"

port=$(echo /dev/vport*p*)
[ -c "$port" ] || fail "no port for the results"
exec 9>"$port"

# In groups as made above, or in a login session of the user's: pam_systemd asks logind for it.
as_user() {
  local uid=$1 folder pairs=()
  shift
  if [ "$systemd" = yes ]; then
    for pair in "${environment[@]}"; do pairs+=(--setenv="$pair"); done
    exec systemd-run --quiet --pipe --wait --collect -p User="$uid" -p PAMName=paddock-vm -p WorkingDirectory=/tmp "${pairs[@]}" -- "$@"
  fi
  for folder in $(groups_of_uid "$uid"); do echo "$BASHPID" >"$folder/cgroup.procs" || exit 99; done
  cd /tmp || exit 99
  exec setpriv --reuid "$uid" --regid "$uid" --clear-groups -- env -i "${environment[@]}" "$@"
}
run_group() {
  local name=$1 uid=$2 program=$3 filter=$4
  environment=(PATH="$PATH" LANG="$LANG" HOME="/work/home/$uid" TMPDIR=/tmp PADDOCK_TEST_DATA=/work/tests/data PADDOCK_TEST_BINDS="cgroup $(parameter cgroups)")
  exec 9>&-
  as_user "$uid" timeout -k 5 "$(parameter seconds)" "/work/bin/$program" --gtest_filter="$filter" --gtest_output="xml:/work/home/$uid/$name.xml"
}
while read -r name uid program filter; do
  echo "vm: $name begins at $(cut -d ' ' -f 1 /proc/uptime)"
  (run_group "$name" "$uid" "$program" "$filter") >"/work/results/$name.log" 2>&1 </dev/null
  echo $? >"/work/results/$name.status"
  mv "/work/home/$uid/$name.xml" /work/results/ 2>/dev/null
  (cd /work/results && tar -cf - "$name".*) >&9
done </work/groups
exec 9>&-
echo "vm: done at $(cut -d ' ' -f 1 /proc/uptime)"
end
