import { afterEach, describe, expect, it } from '@jest/globals';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { openEgress } from '../../libs/adapters/egress/index.js';
import type { EgressOptions } from '../../libs/adapters/egress/http-egress.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { OutgoingResponse } from '../../libs/ports/egress.port.js';
import {
  AUTHORITY,
  connectHere,
  failureOf,
  httpReceiver,
  PUBLIC,
  rawReceiver,
  recordingLookup,
  requestTo,
  tlsReceiver,
  type TestServer,
} from './egress.js';

/** Runs code that changes the real environment of the process. In a test, `process.env` is only Jest's copy. */
const changeEnvironment = (change: string): Promise<void> =>
  new Promise((resolve, reject) => {
    new Worker(change, { eval: true, env: SHARE_ENV }).once('exit', () => resolve()).once('error', reject);
  });

/** Proves contract 21.5: TLS. */
describe('egress over TLS', () => {
  let receiver: TestServer | null = null;
  afterEach(() => receiver?.close());

  const received: (string | undefined)[] = [];
  const startReceiver = async (name: 'receiver' | 'expired' | 'self-signed'): Promise<TestServer> => {
    received.length = 0;
    return (receiver = await tlsReceiver(name, ({ headers }, response) => {
      received.push(headers.host);
      response.end('hello');
    }));
  };
  const post = ({ port }: TestServer, url: string, options: Partial<EgressOptions> = { ca: [AUTHORITY] }): Promise<OutgoingResponse> =>
    openEgress({ clock: systemClock, allow: 'none', lookup: recordingLookup([PUBLIC]), connect: connectHere(port), ...options }).post(
      requestTo(url),
    );

  it.each(['https://hooks.example.com/', 'https://hooks.example.com./', `https://${PUBLIC}/`])(
    'reaches %s, which its certificate names',
    async (url) => {
      expect(await post(await startReceiver('receiver'), url)).toMatchObject({ status: 200, body: 'hello' });
      expect(received).toEqual([new URL(url).host]);
    },
  );

  it.each([
    ['a name', 'https://other.example.com/'],
    ['a longer name', 'https://a.hooks.example.com/'],
    ['an address', 'https://203.0.114.8/'],
  ])('sends nothing to a receiver with the certificate of another host: %s', async (_, url) => {
    expect((await failureOf(post(await startReceiver('receiver'), url))).fault).toBe('tls_failed');
    expect(received).toEqual([]);
  });

  it.each([
    ['expired', [AUTHORITY]],
    ['self-signed', [AUTHORITY]],
    ['self-signed', undefined],
    ['receiver', undefined],
  ] as const)('sends nothing to a receiver with an untrusted certificate: %s', async (name, ca) => {
    const failure = await failureOf(post(await startReceiver(name), 'https://hooks.example.com/', ca ? { ca } : {}));
    expect(failure.fault).toBe('tls_failed');
    expect(received).toEqual([]);
  });

  it('verifies certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    await changeEnvironment("process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'");
    try {
      expect((await failureOf(post(await startReceiver('self-signed'), 'https://hooks.example.com/'))).fault).toBe('tls_failed');
      expect(received).toEqual([]);
    } finally {
      await changeEnvironment('delete process.env.NODE_TLS_REJECT_UNAUTHORIZED');
    }
  });

  it('sends nothing to a receiver without TLS', async () => {
    receiver = await httpReceiver((_, response) => response.end());
    expect((await failureOf(post(receiver, 'https://hooks.example.com/'))).fault).toBe('tls_failed');
  });

  it('fails when the receiver hangs up', async () => {
    receiver = await rawReceiver((socket) => socket.once('data', () => socket.end()));
    expect((await failureOf(post(receiver, 'https://hooks.example.com/'))).fault).toBe('tls_failed');
  });
});
