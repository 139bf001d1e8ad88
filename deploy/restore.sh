#!/bin/sh
# Restores a backup of backup.sh with compose.yaml, and starts the service.
#   deploy/restore.sh [--replace] --erasures FILE FOLDER
#     FOLDER      the folder that backup.sh made
#     --erasures  the newest list of erasures: erasures.json of the last backup, or of "erasures export". Persons who
#                 were erased after this backup stay erased
#     --replace   first removes all containers and volumes of this project: events, keys, read models and
#                 topics. Without it, the restore fails if the project has containers or data
# deploy/.env and deploy/secrets must exist, with the KEY_ENCRYPTION_KEY of the store that was backed up.
# The workers then rebuild read models and topics from the log. Consumers and webhook endpoints receive every
# event again, with the same id.
# Environment: as for backup.sh. EVENTSTOREDB_WAIT is the number of seconds in which EventStoreDB must become healthy
# (default: 600). A large log needs more.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
COMPOSE_FILE=${COMPOSE_FILE:-$here/compose.yaml}
export COMPOSE_FILE

die() { echo "restore: $*" >&2; exit 1; }
usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0" >&2; exit "$1"; }
compose() { ${COMPOSE:-docker compose} "$@"; }

fail_with_log() { # MESSAGE: prints the end of EventStoreDB's log, and then the message
  compose logs --no-color --tail 20 eventstoredb >&2 </dev/null || :
  die "$1"
}

# Starts EventStoreDB and waits until it is healthy. EventStoreDB 24.10 ends with exit code 0 after it has truncated the
# log, and must be started again. `up --wait` would fail then, because the container has exited.
start_eventstoredb() {
  started_again=no
  deadline=$(($(date +%s) + seconds))
  compose up --detach eventstoredb </dev/null
  while :; do
    # For example: Up 5 seconds (healthy). The exit code is also in it while Docker restarts the container.
    status=$(compose ps --all --format '{{.Status}}' eventstoredb </dev/null) || die 'the state of EventStoreDB cannot be read'
    case $status in
      *'(healthy)'*) return ;;
      'Restarting (0)'*) ;; # by Docker, which follows the restart policy of compose.yaml
      'Exited (0)'*)
        [ "$started_again" = no ] || fail_with_log 'EventStoreDB has ended twice with exit code 0: its last lines are above'
        started_again=yes
        compose up --detach eventstoredb </dev/null ;;
      'Exited ('* | 'Restarting ('*) fail_with_log "EventStoreDB has failed ($status): its last lines are above" ;;
    esac
    [ "$(date +%s)" -lt "$deadline" ] ||
      fail_with_log "EventStoreDB was not healthy within $seconds s ($status): its last lines are above"
    sleep 1
  done
}

replace=no
erasures=
while :; do
  case ${1:-} in
    -h | --help) usage 0 ;;
    --replace) replace=yes; shift ;;
    --erasures) [ $# -ge 2 ] || usage 2; erasures=$2; shift 2 ;;
    *) break ;;
  esac
done
[ $# = 1 ] || usage 2
case $1 in -*) usage 2 ;; esac
folder=$1
seconds=${EVENTSTOREDB_WAIT:-600}
case $seconds in *[!0-9]*) die "EVENTSTOREDB_WAIT must be a number of seconds: $seconds" ;; esac

[ -n "$erasures" ] || die 'name the newest list of erasures: --erasures FILE. Without it, erased persons would be back'
grep -q '"format": "petstore-erasures/1"' "$erasures" 2>/dev/null && tail -n 1 "$erasures" | grep -q '^}' ||
  die "$erasures is no complete list of erasures"
[ -f "$folder/SHA256SUMS" ] || die "$folder is not a complete backup: it has no SHA256SUMS"
(cd "$folder" && sha256sum --check --quiet --strict SHA256SUMS) || die "$folder is damaged"
for name in 1-index-checkpoints.tar.gz 2-index.tar.gz 3-checkpoints.tar.gz 4-chunks.tar.gz mongodb.jsonl erasures.json; do
  grep -q " [ *]$name\$" "$folder/SHA256SUMS" || die "$folder lacks $name"
done

check() { grep '"check":' "$1"; }
[ "$(check "$erasures")" = "$(check "$folder/erasures.json")" ] || die "$erasures has the erasures of another store"

if [ "$replace" = yes ]; then
  compose down --volumes --timeout 30
else
  [ -z "$(compose ps --all --quiet)" ] || die 'containers of this project exist: stop them and remove their volumes, or use --replace'
fi

# The first command creates the volume.
empty=$(compose run --rm --no-deps -T --entrypoint sh eventstoredb -c 'find /var/lib/eventstore -type f | head -n 1' </dev/null) ||
  die 'the volume of EventStoreDB cannot be read'
[ -z "$empty" ] || die 'the volume of EventStoreDB has data: remove the volumes, or use --replace'

for name in 1-index-checkpoints 2-index 3-checkpoints 4-chunks; do
  compose run --rm --no-deps -T --entrypoint sh eventstoredb -c 'cd /var/lib/eventstore && tar --extract --gzip' \
    <"$folder/$name.tar.gz" || die "the files of EventStoreDB could not be written ($name)"
done
# With truncate.chk, EventStoreDB removes the data after the checkpoint when it starts.
compose run --rm --no-deps -T --entrypoint sh eventstoredb -c '
  cd /var/lib/eventstore && if [ -e chaser.chk ]; then cp chaser.chk truncate.chk; fi' </dev/null
# If the log is unusable, the restore ends before it writes any keys.
start_eventstoredb

compose up --detach --wait mongodb-1 mongodb-2 mongodb-3
compose run --rm --no-deps -T mongodb-replica-set </dev/null
compose run --rm --no-deps -T --entrypoint mongosh -v "$here/mongodb/restore.js:/restore.js:ro" mongodb-replica-set \
  --quiet --nodb /restore.js <"$folder/mongodb.jsonl" || die 'MongoDB could not be written'

# Before any process of the service runs with the restored keys. The list of the backup has the erasures while the
# backup was made.
for list in "$folder/erasures.json" "$erasures"; do
  compose run --rm --no-deps -T worker-1 erasures apply - <"$list" || {
    compose down --volumes --timeout 30
    die 'the erasures were not applied, so the restored volumes were removed. Correct the cause, and restore again'
  }
done

compose up --detach --wait
echo 'restored. Read models and topics are complete when `behind` of /health/ready is 0'
