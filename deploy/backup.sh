#!/bin/sh
# Backs up the store of compose.yaml while the service runs: first the event log, then the keys and the gateway's
# records in MongoDB. In this order, the backup has every key that its events need.
#   deploy/backup.sh [--pause] FOLDER
#     FOLDER    a new folder for the backup. Only its owner can read it
#     --pause   pauses EventStoreDB for the seconds in which its files are copied. Writes wait meanwhile.
#               A consistent copy does not need the pause: the files are copied in EventStoreDB's documented order
# erasures.json names all erasures so far, as digests. A restore of an older backup needs the newest one: keep a copy
# apart from the backups.
# Read models, checkpoints and topics are not backed up. After a restore, the workers rebuild them from the log.
# KEY_ENCRYPTION_KEY and the passwords (deploy/.env) are not in the backup. Without that key the backup is
# unreadable: keep it elsewhere.
# Environment: COMPOSE is the command of Docker Compose (default: docker compose). The variables of Docker Compose
# also apply, for example COMPOSE_PROJECT_NAME and COMPOSE_FILE (default: compose.yaml beside this file).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
COMPOSE_FILE=${COMPOSE_FILE:-$here/compose.yaml}
export COMPOSE_FILE

die() { echo "backup: $*" >&2; exit 1; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0" >&2; exit "$1"; }
compose() { ${COMPOSE:-docker compose} "$@"; }

pause=no
case ${1:-} in
  -h | --help) usage 0 ;;
  --pause) pause=yes; shift ;;
esac
[ $# = 1 ] || usage 2
case $1 in -*) usage 2 ;; esac
folder=$1
[ ! -e "$folder" ] || die "$folder exists already: name a new folder"

umask 077
mkdir -p "$folder.part"
unpause() { [ "$pause" = no ] || compose unpause eventstoredb >/dev/null 2>&1 || :; }
trap 'unpause; rm -rf "$folder.part"' EXIT
trap 'exit 130' INT TERM

# Copies the files that `find` lists in the volume of EventStoreDB. Exit code 1 of tar is ignored: a file changed
# while it was copied.
copy() { # NAME EXPRESSION...
  name=$1; shift
  # The container only reads the volume: this shell writes the archive.
  compose run --rm --no-deps -T --entrypoint sh eventstoredb -c '
    cd /var/lib/eventstore && find . -type f "$@" -print0 |
      { tar --create --gzip --null --files-from - --warning=no-file-changed || [ $? = 1 ]; }' sh "$@" \
    >"$folder.part/$name.tar.gz" </dev/null || die "the files of EventStoreDB could not be copied ($name)"
}

[ "$pause" = no ] || compose pause eventstoredb >/dev/null || die 'EventStoreDB could not be paused: is it running?'
# The order of EventStoreDB's documentation. A checkpoint may be older than its chunks, but not newer.
copy 1-index-checkpoints -path './index/*' -name '*.chk'
copy 2-index -path './index/*' ! -name '*.chk'
copy 3-checkpoints ! -path './index/*' -name '*.chk'
copy 4-chunks ! -path './index/*' ! -name '*.chk'
unpause

compose run --rm --no-deps -T --entrypoint mongosh -v "$here/mongodb/backup.js:/backup.js:ro" mongodb-replica-set \
  --quiet --nodb /backup.js >"$folder.part/mongodb.jsonl" </dev/null || die 'MongoDB could not be read'
tail -n 1 "$folder.part/mongodb.jsonl" | grep -q '^{"end":' || die 'the copy of MongoDB is incomplete'

compose run --rm --no-deps -T worker-1 erasures export - >"$folder.part/erasures.json" </dev/null ||
  die 'the list of erasures could not be read'

(cd "$folder.part" && sha256sum -- *.tar.gz mongodb.jsonl erasures.json >SHA256SUMS)
mv "$folder.part" "$folder"
trap - EXIT
echo "backed up to $folder: $(du -sh "$folder" | cut -f 1), $(tail -n 1 "$folder/mongodb.jsonl")"
