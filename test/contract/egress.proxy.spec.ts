import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEgress } from '../../libs/adapters/egress/index.js';
import type { EgressOptions } from '../../libs/adapters/egress/http-egress.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { Egress } from '../../libs/ports/egress.port.js';
import {
  AUTHORITY,
  failureOf,
  proxyTo,
  PUBLIC,
  PUBLIC_6,
  rawReceiver,
  recordingLookup,
  requestTo,
  tlsReceiver,
  type TestServer,
} from './egress.js';

const HOOKS = 'https://hooks.example.com/events';

/** Proves contract 21.5: the proxy. */
describe('egress through a proxy', () => {
  let receiver: TestServer;
  let open: TestServer[];
  beforeEach(async () => {
    receiver = await tlsReceiver('receiver', ({ headers }, response) => response.end(headers.host));
    open = [receiver];
  });
  afterEach(async () => void (await Promise.all(open.map(({ close }) => close()))));

  const startProxy = async (status?: number): Promise<Awaited<ReturnType<typeof proxyTo>>> => {
    const proxy = await proxyTo(receiver.port, status);
    open.push(proxy);
    return proxy;
  };
  const openBy = ({ port }: TestServer, options: Partial<EgressOptions> = {}, credentials = ''): Egress =>
    openEgress({
      clock: systemClock,
      allow: 'none',
      lookup: recordingLookup([PUBLIC]),
      ca: [AUTHORITY],
      proxy: `http://${credentials}127.0.0.1:${port}`,
      ...options,
    });

  it('connects to the checked address and verifies the name by TLS through the tunnel', async () => {
    const proxy = await startProxy();
    expect(await openBy(proxy).post(requestTo(HOOKS))).toMatchObject({ status: 200, body: 'hooks.example.com' });
    expect(proxy.requests).toEqual([{ method: 'CONNECT', target: `${PUBLIC}:443`, host: `${PUBLIC}:443`, authorization: null }]);
  });

  it('never sends a name to the proxy, even when the name changes its address', async () => {
    const proxy = await startProxy();
    const egress = openBy(proxy, { lookup: recordingLookup([PUBLIC], ['169.254.169.254']) });
    expect((await egress.post(requestTo(HOOKS))).status).toBe(200);
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('forbidden_address');
    expect(proxy.requests.map(({ target }) => target)).toEqual([`${PUBLIC}:443`]);
    expect(proxy.connections()).toBe(1);
  });

  it('writes an IPv6 address in brackets', async () => {
    const proxy = await startProxy();
    expect((await openBy(proxy, { lookup: recordingLookup([PUBLIC_6]) }).post(requestTo(HOOKS))).status).toBe(200);
    expect(proxy.requests.map(({ target }) => target)).toEqual([`[${PUBLIC_6}]:443`]);
  });

  it('sends the credentials to the proxy only', async () => {
    const proxy = await startProxy();
    await openBy(proxy, {}, 'us%40er:se%3Acret@').post(requestTo(HOOKS));
    expect(proxy.requests.map(({ authorization }) => authorization)).toEqual([`Basic ${Buffer.from('us@er:se:cret').toString('base64')}`]);
  });

  it('allows the proxy’s own address only for the proxy itself', async () => {
    const proxy = await startProxy();
    const egress = openBy(proxy);
    expect((await egress.post(requestTo(HOOKS))).status).toBe(200);
    const target = `http://127.0.0.1:${proxy.port}/`;
    expect(egress.validateUrl(target)).not.toBeNull();
    expect((await failureOf(egress.post(requestTo(target)))).fault).toBe('forbidden_address');
    expect(proxy.requests).toHaveLength(1);
  });

  it.each([302, 403, 407, 502])('reports a %d of the proxy, without the credentials', async (status) => {
    const proxy = await startProxy(status);
    const failure = await failureOf(openBy(proxy, {}, 'user:secret@').post(requestTo(HOOKS)));
    expect(failure).toMatchObject({ fault: 'proxy_failed', message: expect.stringContaining(String(status)) });
    expect(`${failure.message} ${failure.stack}`).not.toContain('secret');
    expect(receiver.connections()).toBe(0);
  });

  it('tries the next address when the proxy cannot connect to one', async () => {
    const proxy = await startProxy(502);
    await failureOf(openBy(proxy, { lookup: recordingLookup([PUBLIC, PUBLIC_6]) }).post(requestTo(HOOKS)));
    expect(proxy.requests.map(({ target }) => target)).toEqual([`${PUBLIC}:443`, `[${PUBLIC_6}]:443`]);
  });

  it.each([
    ['is not running', (port: number) => ({ port, connections: () => 0, close: async () => undefined })],
    ['hangs up', null],
  ])('fails with proxy_failed when the proxy %s', async (_, gone) => {
    const hangsUp = await rawReceiver((socket) => socket.end());
    if (gone) await hangsUp.close();
    else open.push(hangsUp);
    expect((await failureOf(openBy(hangsUp).post(requestTo(HOOKS)))).fault).toBe('proxy_failed');
  });

  it('verifies certificates as without a proxy', async () => {
    const proxy = await startProxy();
    expect((await failureOf(openBy(proxy).post(requestTo('https://other.example.com')))).fault).toBe('tls_failed');
  });
});
