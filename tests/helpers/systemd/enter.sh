#!/bin/bash
# enter.sh <project> <node> <unit> <settings> <cgroup>: runs systemd as PID 1 of its own namespaces, with this unit alone.
# Nothing outside them changes, except for a cgroup that enter.ts removes. The network is the machine's.
set -euo pipefail
project=$1 node=$2 unit=$3 settings=$4 group=$5

if [ -z "${INSIDE:-}" ]; then
  # A cgroup of its own becomes the root that systemd sees.
  mount --make-rprivate /
  groups=$(dirname "$settings")/groups
  mkdir "$groups"
  mount -t cgroup2 cgroup2 "$groups"
  mkdir "$groups/$group"
  echo $$ > "$groups/$group/cgroup.procs"
  export INSIDE=1
  exec unshare --pid --fork --kill-child --mount --uts --ipc --cgroup "$0" "$@"
fi

mount -t proc proc /proc
umount --lazy /sys/fs/cgroup || true
mount -t cgroup2 cgroup2 /sys/fs/cgroup
for folder in /run /opt /var/backups /var/lib /usr/lib/systemd/system; do mount -t tmpfs -o mode=0755 tmpfs "$folder"; done
etc=$(dirname "$settings")/etc
mkdir "$etc"
cp --archive /etc/passwd /etc/group /etc/nsswitch.conf /etc/ld.so.cache /etc/localtime "$etc" 2> /dev/null || true
mount -t tmpfs -o mode=0755 tmpfs /etc
cp --archive "$etc"/* /etc
useradd --system --user-group --home /var/lib/soma --shell /usr/sbin/nologin soma
mkdir -p /opt/soma /run/systemd/system
install --directory --owner soma --mode 0700 /var/backups/soma
mount --bind "$project" /opt/soma
install --mode 0600 "$settings" /etc/soma.env
sed "s#^ExecStart=/usr/bin/node#ExecStart=$node#" "$unit" > /run/systemd/system/soma.service
mkdir /run/systemd/system/soma.service.d
printf '[Service]\nStandardOutput=append:/run/soma.log\nStandardError=append:/run/soma.log\n' \
  > /run/systemd/system/soma.service.d/log.conf
# The start of a whole machine is not of interest.
for target in sysinit basic shutdown network-online only-soma; do
  printf '[Unit]\nDefaultDependencies=no\n' > "/run/systemd/system/$target.target"
done
echo 'Requires=soma.service' >> /run/systemd/system/only-soma.target
container=other exec /lib/systemd/systemd --system --unit=only-soma.target --show-status=no
