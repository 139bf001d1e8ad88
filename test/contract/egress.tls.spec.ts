import { afterEach, describe, expect, it } from '@jest/globals';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { openEgress, type EgressOptions } from '../../libs/adapters/egress/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { OutgoingAnswer } from '../../libs/ports/egress.port.js';
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
  type Listening,
} from './egress.js';

/** Changes the environment that Node itself sees: a test's own is a copy. */
const inTheEnvironment = (change: string): Promise<void> =>
  new Promise((resolve, reject) => {
    new Worker(change, { eval: true, env: SHARE_ENV }).once('exit', () => resolve()).once('error', reject);
  });

describe('the way out, by TLS', () => {
  let receiver: Listening | null = null;
  afterEach(() => receiver?.close());

  const heard: (string | undefined)[] = [];
  const receiving = async (name: 'receiver' | 'expired' | 'self-signed'): Promise<Listening> => {
    heard.length = 0;
    return (receiver = await tlsReceiver(name, ({ headers }, response) => {
      heard.push(headers.host);
      response.end('hello');
    }));
  };
  const posted = ({ port }: Listening, url: string, options: Partial<EgressOptions> = { ca: [AUTHORITY] }): Promise<OutgoingAnswer> =>
    openEgress({ clock: systemClock, allow: 'none', lookup: recordingLookup([PUBLIC]), connect: connectHere(port), ...options }).post(
      requestTo(url),
    );

  it.each(['https://hooks.example.com/', 'https://hooks.example.com./', `https://${PUBLIC}/`])(
    'reaches %s, whose certificate says so',
    async (url) => {
      expect(await posted(await receiving('receiver'), url)).toMatchObject({ status: 200, body: 'hello' });
      expect(heard).toEqual([new URL(url).host]);
    },
  );

  it.each([
    ['a name', 'https://other.example.com/'],
    ['a longer name', 'https://a.hooks.example.com/'],
    ['an address', 'https://203.0.114.8/'],
  ])('says nothing to whoever has another’s certificate: %s', async (_, url) => {
    expect((await failureOf(posted(await receiving('receiver'), url))).fault).toBe('tls_failed');
    expect(heard).toEqual([]);
  });

  it.each([
    ['expired', [AUTHORITY]],
    ['self-signed', [AUTHORITY]],
    ['self-signed', undefined],
    ['receiver', undefined],
  ] as const)('says nothing to whoever has a certificate that nobody vouches for: %s', async (name, ca) => {
    const failure = await failureOf(posted(await receiving(name), 'https://hooks.example.com/', ca ? { ca } : {}));
    expect(failure.fault).toBe('tls_failed');
    expect(heard).toEqual([]);
  });

  it('cannot be talked out of it by the environment', async () => {
    await inTheEnvironment("process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'");
    try {
      expect((await failureOf(posted(await receiving('self-signed'), 'https://hooks.example.com/'))).fault).toBe('tls_failed');
      expect(heard).toEqual([]);
    } finally {
      await inTheEnvironment('delete process.env.NODE_TLS_REJECT_UNAUTHORIZED');
    }
  });

  it('says nothing to whoever speaks no TLS', async () => {
    receiver = await httpReceiver((_, response) => response.end());
    expect((await failureOf(posted(receiver, 'https://hooks.example.com/'))).fault).toBe('tls_failed');
  });

  it('notices a receiver that hangs up', async () => {
    receiver = await rawReceiver((socket) => socket.once('data', () => socket.end()));
    expect((await failureOf(posted(receiver, 'https://hooks.example.com/'))).fault).toBe('tls_failed');
  });
});
