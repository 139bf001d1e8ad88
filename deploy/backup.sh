#!/bin/sh
# Backs up a store that runs with compose.yaml, while it works: the event log first, then the keys and the
# gateway's records in MongoDB. So the backup has every key that its events need.
#   deploy/backup.sh [--pause] FOLDER
#     FOLDER    a new folder for the backup. Only its owner can read it
#     --pause   pauses EventStoreDB while its files are copied, for some seconds: writes wait meanwhile.
#               EventStoreDB does not need it, because its files are copied in the order that it prescribes
# Read models, checkpoints and topics are not backed up: restore.sh has them made from the log.
# KEY_ENCRYPTION_KEY and the passwords (deploy/.env) are not in the backup. Without that key the backup is
# unreadable: keep it elsewhere.
# Environment: COMPOSE, the command of Docker Compose (default: docker compose); those of Docker Compose, for
# example COMPOSE_PROJECT_NAME and COMPOSE_FILE (default: compose.yaml beside this file).
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

# Copies the files that `find` lists in the volume of EventStoreDB. They change meanwhile, which tar reports
# with status 1.
copy() { # NAME EXPRESSION...
  name=$1; shift
  # The redirection is the backup's: the volume is only read.
  compose run --rm --no-deps -T --entrypoint sh eventstoredb -c '
    cd /var/lib/eventstore && find . -type f "$@" -print0 |
      { tar --create --gzip --null --files-from - --warning=no-file-changed || [ $? = 1 ]; }' sh "$@" \
    >"$folder.part/$name.tar.gz" </dev/null || die "the files of EventStoreDB could not be copied ($name)"
}

[ "$pause" = no ] || compose pause eventstoredb >/dev/null || die 'EventStoreDB could not be paused: is it running?'
# The order of EventStoreDB's documentation. A checkpoint that is older than its chunks is valid, the reverse
# is not.
copy 1-index-checkpoints -path './index/*' -name '*.chk'
copy 2-index -path './index/*' ! -name '*.chk'
copy 3-checkpoints ! -path './index/*' -name '*.chk'
copy 4-chunks ! -path './index/*' ! -name '*.chk'
unpause

compose run --rm --no-deps -T --entrypoint mongosh -v "$here/mongodb/backup.js:/backup.js:ro" mongodb-replica-set \
  --quiet --nodb /backup.js >"$folder.part/mongodb.jsonl" </dev/null || die 'MongoDB could not be read'
tail -n 1 "$folder.part/mongodb.jsonl" | grep -q '^{"end":' || die 'the copy of MongoDB has no end'

(cd "$folder.part" && sha256sum -- *.tar.gz mongodb.jsonl >SHA256SUMS)
mv "$folder.part" "$folder"
trap - EXIT
echo "backed up to $folder: $(du -sh "$folder" | cut -f 1), $(tail -n 1 "$folder/mongodb.jsonl")"
