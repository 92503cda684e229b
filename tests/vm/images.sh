# What a virtual machine is started from. Sourced by run.sh, from the top folder; all of it is made by an ordinary user, and
# kept in $CACHE until what it was made of changes: kernel, initramfs, root file system. The disk with the programs and data
# of the tests is made for each machine.

# Of the kernel's package, in the order in which init loads them.
readonly MODULES=(virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk virtio_console squashfs overlay)
# What the root file system holds: what paddock and its tests call, a toolchain for what is to be built in a jail, and systemd,
# which is the first process of one machine.
readonly ROOT_PACKAGES=(bash dash busybox-static coreutils findutils grep sed mawk tar gzip diffutils util-linux mount procps
  g++ make cmake ninja-build python3 git universal-ctags bubblewrap systemd libpam-systemd dbus dbus-user-session)

# Says what came out of a command only if it failed.
quietly() {
  local log
  log=$("$@" 2>&1) || { printf '%s\n' "$log" >&2; return 1; }
}

# Of Debian's kernels the one made for virtual machines, a third as large; unpacked, not installed.
make_kernel() {
  local package version folder=$CACHE/kernel module
  package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null | sed -n 's/^ *Depends: *//p' | head -n 1)
  version=$(apt-cache policy "${package:-linux-image-cloud-amd64}" 2>/dev/null | sed -n 's/^ *Candidate: *//p')
  if [ -z "$package" ] || [ -z "$version" ]; then
    [ -e "$folder/key" ] && return 0
    complain "apt-get knows no linux-image-cloud-amd64: run apt-get update"
    return 1
  fi
  [ "$(cat "$folder/key" 2>/dev/null)" = "$package $version" ] && return 0
  say "downloading $package $version"
  rm -rf "$folder.new" && mkdir -p "$folder.new/modules" || return 1
  # With its version, so that it can't be taken for a pattern, which apt-get does with names that it doesn't know.
  if ! (cd "$folder.new" && quietly apt-get download -q "$package=$version"); then
    [ -e "$folder/key" ] || { complain "$package could not be downloaded (above)"; return 1; }
    complain "$package could not be downloaded (above): the one of before is used, $(cat "$folder/key")"
    return 0
  fi
  dpkg-deb -x "$folder.new"/*.deb "$folder.new/all" && mv "$folder.new"/all/boot/vmlinuz-* "$folder.new/vmlinuz" || return 1
  for module in "${MODULES[@]}"; do
    find "$folder.new/all/lib/modules" -name "$module.ko" -exec mv {} "$folder.new/modules/" \;
    [ -e "$folder.new/modules/$module.ko" ] || { complain "$package has no module $module"; return 1; }
  done
  printf '%s\n' "${MODULES[@]}" >"$folder.new/modules/order"
  rm -rf "$folder.new/all" "$folder.new"/*.deb "$folder"
  echo "$package $version" >"$folder.new/key" && mv "$folder.new" "$folder"
}

# make_initramfs FOLDER: FOLDER/initramfs.cpio
make_initramfs() {
  local tree=$1/initramfs
  mkdir -p "$tree"/{bin,dev,proc,root} && cp "$(command -v busybox)" "$tree/bin/busybox" && cp tests/vm/init "$tree/init" &&
    chmod 755 "$tree/init" && cp -r "$CACHE/kernel/modules" "$tree/modules" &&
    (cd "$tree" && find . | cpio --quiet -o -H newc -R 0:0) >"$1/initramfs.cpio"
}

# make_units ETC: what systemd starts: the tests, and for them logind and the bus. Most of what else starts on a machine is left
# out, as it takes time.
make_units() {
  local unit
  cp tests/vm/paddock-tests.service tests/vm/systemd-logind.service "$1/systemd/system/" || return 1
  for unit in /lib/systemd/system/{sysinit,local-fs,sockets,timers}.target.wants/*; do
    case ${unit##*/} in *.target | dbus.socket) ;; *) ln -sf /dev/null "$1/systemd/system/${unit##*/}" || return 1 ;; esac
  done
  for unit in auth account password; do echo "$unit required pam_permit.so" >"$1/pam.d/common-$unit" || return 1; done
  echo "session required pam_systemd.so" | tee "$1/pam.d/common-session" >"$1/pam.d/common-session-noninteractive" || return 1
  printf '@include common-%s\n' auth account session >"$1/pam.d/paddock-vm" && echo 0123456789abcdef0123456789abcdef >"$1/machine-id"
}

# make_root FOLDER: FOLDER is for what is made on the way.
make_root() {
  local root=$CACHE/root.sqfs key programs
  programs=$(find "$bin" -maxdepth 1 -type f -perm -u+x) || return 1
  key=$(cat tests/vm/images.sh tests/vm/root_files.py tests/vm/*.service && python3 tests/vm/root_files.py key "${ROOT_PACKAGES[@]}" -- $programs) || return 1
  [ -e "$root" ] && [ "$(cat "$CACHE/root.key" 2>/dev/null)" = "$key" ] && return 0
  say "making $root, of ${#ROOT_PACKAGES[@]} packages and what they depend on"
  rm -f "$CACHE/root.key" "$root.new"
  local skeleton=$1/skeleton
  mkdir -p "$skeleton"/{dev,proc,sys,run,tmp,mnt,work,root,home,var,etc/pam.d,etc/systemd/system} || return 1
  printf '%s:/bin/sh\n' root:x:0:0::/root "tester:x:$USER_ID:$USER_ID::/work/home/$USER_ID" messagebus:x:101:101::/nonexistent nobody:x:65534:65534::/nonexistent >"$skeleton/etc/passwd"
  printf '%s:\n' root:x:0 tty:x:5 "tester:x:$USER_ID" messagebus:x:101 nogroup:x:65534 >"$skeleton/etc/group"
  echo paddock-vm >"$skeleton/etc/hostname"
  : >"$skeleton/guest-of-paddock"
  printf '127.0.0.1 localhost paddock-vm\n' >"$skeleton/etc/hosts"
  make_units "$skeleton/etc" || return 1
  # The fastest compression: the processor that reads it is computed.
  python3 tests/vm/root_files.py files "${ROOT_PACKAGES[@]}" -- $programs |
    tar --owner=0 --group=0 --mode=go-w --no-recursion -cf - -C / --null --files-from=- -C "$skeleton" $(cd "$skeleton" && find . -mindepth 1 -printf '%P\n') |
    quietly sqfstar -quiet -no-progress -exit-on-error -comp lz4 "$root.new" || return 1
  mv "$root.new" "$root" && printf '%s\n' "$key" >"$CACHE/root.key"
}

# make_disk FOLDER NAME: FOLDER/NAME.disk, of the programs, the tests' data and FOLDER/NAME.groups.
make_disk() {
  local tree=$1/$2.tree disk=$1/$2.disk status=0
  mkdir -p "$tree/tests" && cp -r "$bin" "$tree/bin" && rm -f "$tree"/bin/*_fuzz && cp -r tests/data "$tree/tests/data" &&
    cp tests/vm/guest.sh "$tree/guest.sh" && cp "$1/$2.groups" "$tree/groups" && chmod -R go+rX "$tree" &&
    truncate -s 4G "$disk" && quietly /sbin/mke2fs -q -F -t ext4 -O ^has_journal -E lazy_itable_init=1,root_owner=0:0 -d "$tree" "$disk" || status=1
  rm -rf "$tree"
  return "$status"
}
