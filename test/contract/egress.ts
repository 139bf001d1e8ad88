import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTo, createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { EgressFailed, type OutgoingRequest } from '../../libs/ports/egress.port.js';
import type { Connect } from '../../libs/adapters/egress/connections/dial.js';
import type { Lookup } from '../../libs/adapters/egress/destinations/lookup.js';

/** Public addresses. No test connects to them: it records each attempt, and fails it or connects to this machine instead. */
export const PUBLIC = '203.0.114.7';
export const PUBLIC_6 = '2a00:1450:4001:82a::200e';

/** A connect function that records its calls. */
export type RecordingConnect = Connect & { readonly calls: readonly string[] };

const recordCalls = (connect: Connect): RecordingConnect => {
  const calls: string[] = [];
  const recorder: Connect = (host, port) => {
    calls.push(`${host} ${port}`);
    return connect(host, port);
  };
  return Object.assign(recorder, { calls });
};

/** Records calls and never connects. */
export const recordingConnect = (): RecordingConnect =>
  recordCalls(() => {
    const socket = new Socket();
    process.nextTick(() => socket.destroy(new Error('this test connects to nothing')));
    return socket;
  });

/** Connects to a port of this machine for every address. */
export const connectHere = (port: number): RecordingConnect => recordCalls(() => connectTo({ host: '127.0.0.1', port }));

/** A lookup that records its calls and returns the given results in order, and the last one again and again. */
export const recordingLookup = (...addresses: readonly (readonly string[])[]): Lookup & { readonly calls: readonly string[] } => {
  const calls: string[] = [];
  const lookup: Lookup = async (host) => {
    calls.push(host);
    return addresses[Math.min(calls.length, addresses.length) - 1] ?? [];
  };
  return Object.assign(lookup, { calls });
};

/** A request to a URL, with the body and headers of a webhook. */
export const requestTo = (url: string, others: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': 'a' },
  body: '{"hello":"wörld"}',
  ...others,
});

/** Returns the failure of a post. */
export const failureOf = async (post: Promise<unknown>): Promise<EgressFailed> => {
  const outcome = await post.then(
    (response) => new Error(`unexpected response: ${JSON.stringify(response)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof EgressFailed) return outcome;
  throw outcome;
};

/** A server on this machine for one test. */
export type TestServer = { readonly port: number; readonly connections: () => number; readonly close: () => Promise<void> };

const listen = async (server: Server): Promise<TestServer> => {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, connections: () => connections, close };
};

/** A receiver that speaks HTTP. */
export const httpReceiver = (listener: RequestListener): Promise<TestServer> => listen(createHttpServer(listener));

/** A receiver that sends arbitrary bytes to each connection. */
export const rawReceiver = (speak: (socket: Socket) => void): Promise<TestServer> => listen(createServer(speak));

const certificate = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');

/** The certificate of the authority. It has signed all certificates of receivers except the self-signed one. */
export const AUTHORITY = certificate('authority');

/** A receiver with a certificate for hooks.example.com. */
export const tlsReceiver = (name: 'receiver' | 'expired' | 'self-signed', listener: RequestListener): Promise<TestServer> =>
  listen(createHttpsServer({ cert: certificate(name), key: certificate(`${name}.key`) }, listener));

/** A request that the proxy received: its request line, its host and its credentials. */
export type ProxyRequest = {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly authorization: string | null;
};

/** A proxy that tunnels every request to a port of this machine. If `status` is not 200, it rejects requests with this status. */
export const proxyTo = async (port: number, status = 200): Promise<TestServer & { readonly requests: readonly ProxyRequest[] }> => {
  const requests: ProxyRequest[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(proxyRequestOf(request));
    response.end();
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    requests.push(proxyRequestOf(request));
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const tunnel = connectTo({ host: '127.0.0.1', port });
    tunnel.on('error', () => socket.destroy());
    socket.on('error', () => tunnel.destroy());
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    tunnel.pipe(socket).pipe(tunnel);
  });
  return { ...(await listen(server)), requests };
};

const proxyRequestOf = ({ method = '', url = '', headers }: IncomingMessage): ProxyRequest => ({
  method,
  target: url,
  host: headers.host ?? '',
  authorization: headers['proxy-authorization'] ?? null,
});
