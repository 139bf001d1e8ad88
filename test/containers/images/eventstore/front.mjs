/**
 * The program of the image that replaces EventStoreDB. It listens on port 2113. It starts the protocol server on loopback and
 * forwards gRPC connections to it. Like EventStoreDB, it also serves /health/live and /info over HTTP on port 2113. It uses TLS
 * unless EVENTSTORE_INSECURE is true. The version in /info begins with "stand-in".
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { connect, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A path in the image, not in the repository. */
const COMPILED = '/app/dist/test/servers/eventstoredb/protocol-server.js';
const PORT = 2113;
const FOLDER = '/var/lib/eventstore';
/** The first bytes of an HTTP/2 connection. Other connections use HTTP/1.1. */
const HTTP2 = 'PRI';
const VERSION = 'stand-in (the protocol server of the petstore, not EventStoreDB)';

const { EVENTSTORE_INSECURE, EVENTSTORE_CERTIFICATE_FILE, EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE } = process.env;
const isInsecure = EVENTSTORE_INSECURE?.toLowerCase() === 'true';

/** Exits with 0 if /health/live responds with 204, otherwise with 1. */
const checkHealth = () => {
  const get = isInsecure ? getHttp : getHttps;
  const address = `${isInsecure ? 'http' : 'https'}://127.0.0.1:${PORT}/health/live`;
  get(address, { rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 204 ? 0 : 1)).on('error', () =>
    process.exit(1),
  );
};

const answers = createHttpServer(({ url }, response) => {
  if (url === '/health/live') return void response.writeHead(204).end();
  if (url === '/info') return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ esVersion: VERSION }));
  response.writeHead(404).end();
});

/** Chooses HTTP/1.1 if the client accepts it, for example curl. A gRPC client accepts only HTTP/2. */
const chooseProtocol = ({ protocols }) => (protocols.includes('http/1.1') ? 'http/1.1' : 'h2');

const serve = async () => {
  const { startProtocolServer } = await import(COMPILED);
  const server = await startProtocolServer(FOLDER);
  const sockets = new Set();
  const accept = (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      if (!first.toString('latin1').startsWith(HTTP2)) {
        answers.emit('connection', socket);
        return socket.resume();
      }
      const target = connect(server.port, '127.0.0.1').setNoDelay();
      target.on('error', () => socket.destroy()).once('close', () => socket.destroy());
      socket.once('close', () => target.destroy());
      socket.pipe(target).pipe(socket);
    });
  };
  const front = isInsecure
    ? createServer(accept)
    : createTlsServer(
        {
          cert: readFileSync(EVENTSTORE_CERTIFICATE_FILE),
          key: readFileSync(EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE),
          ALPNCallback: chooseProtocol,
        },
        accept,
      );
  front.listen(PORT, () => console.log(`${VERSION} listens on port ${PORT}`));
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => {
      front.close();
      sockets.forEach((socket) => socket.destroy());
      void server.close().then(() => process.exit(0));
    });
};

if (process.argv[2] === 'health') checkHealth();
else await serve();
