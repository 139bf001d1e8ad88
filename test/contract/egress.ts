import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectTo, createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { EgressFailed, type OutgoingRequest } from '../../libs/ports/egress.port.js';
import type { Connect, Lookup } from '../../libs/adapters/egress/index.js';

/** Addresses of the Internet: tests record them, and connect to this machine in their place. */
export const PUBLIC = '203.0.114.7';
export const PUBLIC_6 = '2a00:1450:4001:82a::200e';

/** A connect function that writes down what it is asked for. */
export type RecordingConnect = Connect & { readonly asked: readonly string[] };

const recording = (connect: Connect): RecordingConnect => {
  const asked: string[] = [];
  const record: Connect = (host, port) => {
    asked.push(`${host} ${port}`);
    return connect(host, port);
  };
  return Object.assign(record, { asked });
};

/** Connects to nothing. */
export const recordingConnect = (): RecordingConnect =>
  recording(() => {
    const socket = new Socket();
    process.nextTick(() => socket.destroy(new Error('this test connects to nothing')));
    return socket;
  });

/** Connects to a port of this machine, whatever it is asked for. */
export const connectHere = (port: number): RecordingConnect => recording(() => connectTo({ host: '127.0.0.1', port }));

/** A look-up that writes down what it is asked for, and answers the next of these each time; the last for good. */
export const recordingLookup = (...answers: readonly (readonly string[])[]): Lookup & { readonly asked: readonly string[] } => {
  const asked: string[] = [];
  const lookup: Lookup = async (host) => {
    asked.push(host);
    return answers[Math.min(asked.length, answers.length) - 1] ?? [];
  };
  return Object.assign(lookup, { asked });
};

export const requestTo = (url: string, others: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': 'a' },
  body: '{"hello":"wörld"}',
  ...others,
});

/** The failure that a post ends with. */
export const failureOf = async (post: Promise<unknown>): Promise<EgressFailed> => {
  const outcome = await post.then(
    (answer) => new Error(`it was answered: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof EgressFailed) return outcome;
  throw outcome;
};

/** Something that listens on this machine for one test. */
export type Listening = { readonly port: number; readonly connections: () => number; readonly close: () => Promise<void> };

const listening = async (server: Server): Promise<Listening> => {
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
export const httpReceiver = (answer: RequestListener): Promise<Listening> => listening(createHttpServer(answer));

/** A receiver that says whatever it likes to whoever connects, and hears what is said. */
export const rawReceiver = (speak: (socket: Socket) => void): Promise<Listening> => listening(createServer(speak));

const certificate = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');

/** Who vouches for the receivers' certificates, but for the self-signed one. */
export const AUTHORITY = certificate('authority');

/** A receiver with a certificate for hooks.example.com. */
export const tlsReceiver = (name: 'receiver' | 'expired' | 'self-signed', answer: RequestListener): Promise<Listening> =>
  listening(createHttpsServer({ cert: certificate(name), key: certificate(`${name}.key`) }, answer));

/** What a proxy was asked for: the line of the request, and with which credentials. */
export type AskedOfProxy = {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly authorization: string | null;
};

/** A proxy that leads to a port of this machine whatever it is asked for, unless it answers something else than 200. */
export const proxyTo = async (port: number, status = 200): Promise<Listening & { readonly asked: readonly AskedOfProxy[] }> => {
  const asked: AskedOfProxy[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(askedBy(request));
    response.end();
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(askedBy(request));
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const further = connectTo({ host: '127.0.0.1', port });
    further.on('error', () => socket.destroy());
    socket.on('error', () => further.destroy());
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    further.pipe(socket).pipe(further);
  });
  return { ...(await listening(server)), asked };
};

const askedBy = ({ method = '', url = '', headers }: IncomingMessage): AskedOfProxy => ({
  method,
  target: url,
  host: headers.host ?? '',
  authorization: headers['proxy-authorization'] ?? null,
});
