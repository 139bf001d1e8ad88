#!/bin/sh
# Generates the secrets of compose.yaml: deploy/.env with passwords, and deploy/secrets with a certificate
# authority and a certificate for EventStoreDB. It does not change existing files.
#   deploy/prepare.sh [FOLDER]    FOLDER: the target folder, deploy/ by default
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here}
days=825

type openssl >/dev/null || { echo 'openssl is missing: install it to create keys and certificates' >&2; exit 1; }

generate() { # NAME: prints a new value for this variable
  case $1 in
    KEY_ENCRYPTION_KEY) openssl rand -base64 32 ;;
    *) openssl rand -hex 32 ;; # part of URLs, so only letters and digits
  esac
}

fill() { # prints standard input, and generates a value for each variable without one
  while IFS= read -r line; do
    case $line in
      [A-Z]*=) printf '%s%s\n' "$line" "$(generate "${line%=}")" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

certificates() { # FOLDER: writes ca/ca.crt, and eventstoredb/node.crt with its key
  mkdir -p "$1/ca" "$1/eventstoredb"
  openssl req -x509 -newkey rsa:2048 -nodes -days "$days" -subj '/CN=petstore certificate authority' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout "$1/ca.key" -out "$1/ca/ca.crt" 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -subj '/CN=eventstoredb-node' \
    -keyout "$1/eventstoredb/node.key" -out "$1/node.csr" 2>/dev/null
  cat >"$1/node.cnf" <<CONF
basicConstraints=critical,CA:false
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=DNS:eventstoredb,DNS:localhost,IP:127.0.0.1
CONF
  openssl x509 -req -in "$1/node.csr" -CA "$1/ca/ca.crt" -CAkey "$1/ca.key" -CAcreateserial -days "$days" \
    -extfile "$1/node.cnf" -out "$1/eventstoredb/node.crt" 2>/dev/null
  # The authority signs no other certificate, so its key is removed and cannot be stolen.
  rm -f "$1/ca.key" "$1/ca/ca.srl" "$1/node.csr" "$1/node.cnf"
  # The servers run as other users, who must read these files. Only the owner can open the folder above.
  chmod 755 "$1/ca" "$1/eventstoredb"
  chmod 644 "$1/ca/ca.crt" "$1/eventstoredb/node.crt" "$1/eventstoredb/node.key"
}

umask 077
mkdir -p "$folder"
if [ ! -e "$folder/.env" ]; then
  fill <"$here/.env.example" >"$folder/.env.new"
  mv "$folder/.env.new" "$folder/.env"
  echo "created $folder/.env"
fi
if [ ! -e "$folder/secrets" ]; then
  rm -rf "$folder/secrets.new"
  certificates "$folder/secrets.new"
  mv "$folder/secrets.new" "$folder/secrets"
  echo "created $folder/secrets"
fi
