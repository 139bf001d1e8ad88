import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEgress, type EgressOptions } from '../../libs/adapters/egress/index.js';
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
  type Listening,
} from './egress.js';

const HOOKS = 'https://hooks.example.com/events';

describe('the way out, by a proxy', () => {
  let receiver: Listening;
  let open: Listening[];
  beforeEach(async () => {
    receiver = await tlsReceiver('receiver', ({ headers }, response) => response.end(headers.host));
    open = [receiver];
  });
  afterEach(async () => void (await Promise.all(open.map(({ close }) => close()))));

  const proxied = async (status?: number): Promise<Awaited<ReturnType<typeof proxyTo>>> => {
    const proxy = await proxyTo(receiver.port, status);
    open.push(proxy);
    return proxy;
  };
  const openBy = ({ port }: Listening, options: Partial<EgressOptions> = {}, credentials = ''): Egress =>
    openEgress({
      clock: systemClock,
      allow: 'none',
      lookup: recordingLookup([PUBLIC]),
      ca: [AUTHORITY],
      proxy: `http://${credentials}127.0.0.1:${port}`,
      ...options,
    });

  it('asks it for the address that was checked, and speaks TLS with the name through it', async () => {
    const proxy = await proxied();
    expect(await openBy(proxy).post(requestTo(HOOKS))).toMatchObject({ status: 200, body: 'hooks.example.com' });
    expect(proxy.asked).toEqual([{ method: 'CONNECT', target: `${PUBLIC}:443`, host: `${PUBLIC}:443`, authorization: null }]);
  });

  it('asks for no name when it changes what it stands for', async () => {
    const proxy = await proxied();
    const egress = openBy(proxy, { lookup: recordingLookup([PUBLIC], ['169.254.169.254']) });
    expect((await egress.post(requestTo(HOOKS))).status).toBe(200);
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('forbidden_address');
    expect(proxy.asked.map(({ target }) => target)).toEqual([`${PUBLIC}:443`]);
    expect(proxy.connections()).toBe(1);
  });

  it('asks for an IPv6 address in brackets', async () => {
    const proxy = await proxied();
    expect((await openBy(proxy, { lookup: recordingLookup([PUBLIC_6]) }).post(requestTo(HOOKS))).status).toBe(200);
    expect(proxy.asked.map(({ target }) => target)).toEqual([`[${PUBLIC_6}]:443`]);
  });

  it('shows it the credentials, and nobody else', async () => {
    const proxy = await proxied();
    await openBy(proxy, {}, 'us%40er:se%3Acret@').post(requestTo(HOOKS));
    expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([`Basic ${Buffer.from('us@er:se:cret').toString('base64')}`]);
  });

  it('exempts the proxy’s own address, for the proxy alone', async () => {
    const proxy = await proxied();
    const egress = openBy(proxy);
    expect((await egress.post(requestTo(HOOKS))).status).toBe(200);
    const target = `http://127.0.0.1:${proxy.port}/`;
    expect(egress.objectionTo(target)).not.toBeNull();
    expect((await failureOf(egress.post(requestTo(target)))).fault).toBe('forbidden_address');
    expect(proxy.asked).toHaveLength(1);
  });

  it.each([302, 403, 407, 502])('says that it refused with a %d, without its credentials', async (status) => {
    const proxy = await proxied(status);
    const failure = await failureOf(openBy(proxy, {}, 'user:secret@').post(requestTo(HOOKS)));
    expect(failure).toMatchObject({ fault: 'proxy_failed', message: expect.stringContaining(String(status)) });
    expect(`${failure.message} ${failure.stack}`).not.toContain('secret');
    expect(receiver.connections()).toBe(0);
  });

  it('tries the next address when it could not connect to one', async () => {
    const proxy = await proxied(502);
    await failureOf(openBy(proxy, { lookup: recordingLookup([PUBLIC, PUBLIC_6]) }).post(requestTo(HOOKS)));
    expect(proxy.asked.map(({ target }) => target)).toEqual([`${PUBLIC}:443`, `[${PUBLIC_6}]:443`]);
  });

  it.each([
    ['is not there', (port: number) => ({ port, connections: () => 0, close: async () => undefined })],
    ['hangs up', null],
  ])('says that it failed when it %s', async (_, gone) => {
    const hangsUp = await rawReceiver((socket) => socket.end());
    if (gone) await hangsUp.close();
    else open.push(hangsUp);
    expect((await failureOf(openBy(hangsUp).post(requestTo(HOOKS)))).fault).toBe('proxy_failed');
  });

  it('believes no certificate the more for it', async () => {
    const proxy = await proxied();
    expect((await failureOf(openBy(proxy).post(requestTo('https://other.example.com')))).fault).toBe('tls_failed');
  });
});
