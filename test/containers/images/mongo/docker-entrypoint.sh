#!/bin/bash
# Starts mongod. If the data folder is empty and MONGO_INITDB_ROOT_USERNAME is set, first creates that user on a
# temporary server that listens only on loopback.
set -euo pipefail

[[ ${1:-mongod} != -* ]] || set -- mongod "$@"
if [[ $1 != mongod ]]; then exec "$@"; fi

# mongod runs as its own user, as in the official image.
if [[ $(id -u) == 0 ]]; then
  chown mongodb:mongodb /data/db /data/configdb
  exec setpriv --reuid mongodb --regid mongodb --init-groups "$0" "$@"
fi

# prints the arguments that the temporary server shares with the real one
shared_arguments() {
  while (($# > 0)); do
    case $1 in
      --dbpath | --wiredTigerCacheSizeGB) printf '%s\n' "$1" "$2"; shift ;;
    esac
    shift
  done
}

if [[ -n ${MONGO_INITDB_ROOT_USERNAME:-} && ! -e /data/db/WiredTiger ]]; then
  mapfile -t shared < <(shared_arguments "${@:2}")
  mongod "${shared[@]}" --bind_ip 127.0.0.1 --port 27018 --pidfilepath /tmp/first.pid --fork --logpath /tmp/first.log
  mongosh --quiet --port 27018 admin --eval '
    db.createUser({
      user: process.env.MONGO_INITDB_ROOT_USERNAME,
      pwd: process.env.MONGO_INITDB_ROOT_PASSWORD,
      roles: ["root"],
    })'
  mongod --dbpath /data/db --shutdown --pidfilepath /tmp/first.pid
  set -- "$@" --auth
elif [[ -n ${MONGO_INITDB_ROOT_USERNAME:-} ]]; then
  set -- "$@" --auth
fi

# As in the official image, mongod listens on all addresses, so that other containers reach it.
[[ " $* " == *' --bind_ip'* ]] || set -- "$@" --bind_ip_all
exec "$@"
