import { beforeEach, describe, expect, it } from '@jest/globals';
import { isIPv6 } from 'node:net';
import type { Egress } from '../../libs/ports/egress.port.js';
import { openEgress } from '../../libs/adapters/egress/index.js';
import type { Lookup } from '../../libs/adapters/egress/destinations/lookup.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { ALLOWED_ADDRESSES, FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS, FORBIDDEN_URLS } from './egress.addresses.js';
import { failureOf, PUBLIC, PUBLIC_6, recordingConnect, recordingLookup, requestTo, type RecordingConnect } from './egress.js';

const literal = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
const HOSTS = [...FORBIDDEN_ADDRESSES.map(literal), ...FORBIDDEN_HOSTS];
const HOOKS = 'https://hooks.example.com/events';

/** Proves contract 21.1, contract 21.2 and contract 21.3. */
describe('egress to addresses outside the public Internet', () => {
  let connect: RecordingConnect;
  beforeEach(() => void (connect = recordingConnect()));

  const open = (lookup: Lookup = recordingLookup([PUBLIC]), proxy?: string): Egress =>
    openEgress({ clock: systemClock, allow: 'none', lookup, connect, ...(proxy !== undefined && { proxy }) });
  const faultOf = async (egress: Egress, url: string): Promise<string> => (await failureOf(egress.post(requestTo(url)))).fault;

  describe.each([
    ['directly', undefined],
    ['through a proxy', 'http://proxy.example.com:3128'],
  ])('%s', (_, proxy) => {
    it.each(HOSTS)('rejects http://%s and does not connect to it', async (host) => {
      const lookup = recordingLookup([PUBLIC]);
      const egress = open(lookup, proxy);
      for (const url of [`http://${host}`, `https://${host}/events`, `http://${host}:8080/`]) {
        expect(egress.validateUrl(url)).toMatch(/^It.*\.$/);
        expect(await faultOf(egress, url)).toBe('forbidden_address');
      }
      expect(lookup.calls).toEqual([]);
      expect(connect.calls).toEqual([]);
    });

    it.each([...FORBIDDEN_ADDRESSES, 'fe80::1%lo', `${PUBLIC_6}%lo`, '127.1', 'localhost', ''])(
      'does not connect when a name resolves to %j, alone or among others',
      async (address) => {
        for (const addresses of [[address], [PUBLIC, address], [address, PUBLIC], [PUBLIC, PUBLIC_6, address]]) {
          expect(await faultOf(open(recordingLookup(addresses), proxy), HOOKS)).toBe('forbidden_address');
        }
        expect(connect.calls).toEqual([]);
      },
    );
  });

  it.each(FORBIDDEN_URLS)('rejects %j and does not connect to it', async (url) => {
    const egress = open();
    expect(egress.validateUrl(url)).toMatch(/^It.*\.$/);
    expect(await faultOf(egress, url)).toBe('forbidden_address');
    expect(connect.calls).toEqual([]);
  });

  it('does not reveal the address of a name', async () => {
    const failure = await failureOf(open(recordingLookup(['10.1.2.3'])).post(requestTo(HOOKS)));
    expect(failure.message).not.toContain('10.1.2.3');
  });
});

/** Proves contract 21.3. */
describe('egress when a name changes its address', () => {
  it('connects to the checked address and does not resolve the name again', async () => {
    const connect = recordingConnect();
    const lookup = recordingLookup([PUBLIC], ['127.0.0.1']);
    const egress = openEgress({ clock: systemClock, allow: 'none', lookup, connect });
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('unreachable');
    expect(lookup.calls).toEqual(['hooks.example.com']);
    expect(connect.calls).toEqual([`${PUBLIC} 443`]);
  });

  it('resolves and checks the name again for the next post', async () => {
    const connect = recordingConnect();
    const egress = openEgress({ clock: systemClock, allow: 'none', lookup: recordingLookup([PUBLIC], ['127.0.0.1']), connect });
    await failureOf(egress.post(requestTo(HOOKS)));
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('forbidden_address');
    expect(connect.calls).toEqual([`${PUBLIC} 443`]);
  });

  it('ignores a change to the list of addresses after the check', async () => {
    const connect = recordingConnect();
    const addresses = [PUBLIC, PUBLIC_6];
    const moving: typeof connect = Object.assign(
      (host: string, port: number) => {
        addresses.fill('127.0.0.1');
        return connect(host, port);
      },
      { calls: connect.calls },
    );
    await failureOf(
      openEgress({ clock: systemClock, allow: 'none', lookup: async () => addresses, connect: moving }).post(requestTo(HOOKS)),
    );
    expect(connect.calls).toEqual([`${PUBLIC} 443`, `${PUBLIC_6} 443`]);
  });
});

/** Proves contract 21.1. */
describe('egress to the public Internet', () => {
  const open = (connect: RecordingConnect, lookup: Lookup = recordingLookup([])): Egress =>
    openEgress({ clock: systemClock, allow: 'none', lookup, connect });

  it.each(ALLOWED_ADDRESSES)('connects to %s, given as an address or by a name', async (address) => {
    const connect = recordingConnect();
    const url = `http://${literal(address)}:8080/`;
    expect(open(connect).validateUrl(url)).toBeNull();
    expect((await failureOf(open(connect).post(requestTo(url)))).fault).toBe('unreachable');
    expect((await failureOf(open(connect, recordingLookup([address])).post(requestTo(HOOKS)))).fault).toBe('unreachable');
    expect(connect.calls.map((call) => call.split(' ')[1])).toEqual(['8080', '443']);
    expect(connect.calls[1]).toBe(`${address} 443`);
  });

  it.each([
    ['http://hooks.example.com', 80],
    ['https://hooks.example.com', 443],
    ['HTTPS://HOOKS.EXAMPLE.COM.', 443],
    ['https://hooks.example.com:8443/events?a=b#c', 8443],
    ['http://hooks.example.com:1024', 1024],
    ['http://hooks.example.com:443', 443],
    ['http://localhost.example.com:65535', 65535],
    ['https://bücher.example', 443],
    ['https://mylocalhost.com', 443],
    ['https://a_b.example.com', 443],
  ])('accepts %s', async (url, port) => {
    const connect = recordingConnect();
    const egress = open(connect, recordingLookup([PUBLIC]));
    expect(egress.validateUrl(url)).toBeNull();
    await failureOf(egress.post(requestTo(url)));
    expect(connect.calls).toEqual([`${PUBLIC} ${port}`]);
  });

  it('tries every address of a name', async () => {
    const connect = recordingConnect();
    await failureOf(open(connect, recordingLookup([PUBLIC, PUBLIC_6])).post(requestTo(HOOKS)));
    expect(connect.calls).toEqual([`${PUBLIC} 443`, `${PUBLIC_6} 443`]);
  });

  it('fails with unknown_host when a name cannot be resolved', async () => {
    const connect = recordingConnect();
    const failing: Lookup = () => Promise.reject(new Error('SERVFAIL'));
    expect((await failureOf(open(connect, failing).post(requestTo(HOOKS)))).fault).toBe('unknown_host');
    expect((await failureOf(open(connect, recordingLookup([])).post(requestTo(HOOKS)))).fault).toBe('unknown_host');
    expect(connect.calls).toEqual([]);
  });
});

/** Proves contract 21.4. */
describe('egress with loopback allowed', () => {
  const open = (connect: RecordingConnect, lookup?: Lookup): Egress =>
    openEgress({ clock: systemClock, allow: 'loopback', connect, ...(lookup && { lookup }) });

  it.each(['127.0.0.1', '127.9.9.9', '[::1]', '2130706433', '[0:0:0:0:0:0:0:1]'])('accepts %s on any port', async (host) => {
    const connect = recordingConnect();
    for (const port of [22, 6379, 3000]) {
      expect(open(connect).validateUrl(`http://${host}:${port}`)).toBeNull();
      await failureOf(open(connect).post(requestTo(`http://${host}:${port}`)));
    }
    expect(connect.calls.map((call) => call.split(' ')[1])).toEqual(['22', '6379', '3000']);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('accepts %s without a query to a nameserver', async (host) => {
    const connect = recordingConnect();
    expect(open(connect).validateUrl(`http://${host}:22`)).toBeNull();
    await failureOf(open(connect).post(requestTo(`http://${host}:22`)));
    expect(connect.calls).toEqual(['127.0.0.1 22', '::1 22']);
  });

  it('connects to a name that resolves to loopback, but only on an allowed port', async () => {
    const connect = recordingConnect();
    await failureOf(open(connect, recordingLookup(['127.0.0.1'])).post(requestTo('http://hooks.example.com:8080')));
    expect(connect.calls).toEqual(['127.0.0.1 8080']);
    expect(open(connect).validateUrl('http://hooks.example.com:6379')).toMatch('port');
  });

  const others = FORBIDDEN_ADDRESSES.filter((address) => !address.startsWith('127.') && !/^[0:]*1$/.test(address));
  it.each(others)('still rejects %s', async (address) => {
    const connect = recordingConnect();
    const egress = open(connect, recordingLookup([address]));
    expect(egress.validateUrl(`http://${literal(address)}`)).not.toBeNull();
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('forbidden_address');
    expect(connect.calls).toEqual([]);
  });

  it('bypasses the proxy for loopback, which would be the proxy’s own machine', async () => {
    const connect = recordingConnect();
    const egress = openEgress({ clock: systemClock, allow: 'loopback', connect, proxy: 'http://proxy.example.com:3128' });
    await failureOf(egress.post(requestTo('http://127.0.0.1:5000')));
    expect(connect.calls).toEqual(['127.0.0.1 5000']);
  });
});
