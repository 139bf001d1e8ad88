import { beforeEach, describe, expect, it } from '@jest/globals';
import { isIPv6 } from 'node:net';
import type { Egress } from '../../libs/ports/egress.port.js';
import { openEgress, type Lookup } from '../../libs/adapters/egress/index.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { ALLOWED_ADDRESSES, FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS, FORBIDDEN_URLS } from './egress.addresses.js';
import { failureOf, PUBLIC, PUBLIC_6, recordingConnect, recordingLookup, requestTo, type RecordingConnect } from './egress.js';

const literal = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
const HOSTS = [...FORBIDDEN_ADDRESSES.map(literal), ...FORBIDDEN_HOSTS];
const HOOKS = 'https://hooks.example.com/events';

describe('the way out, to addresses that are not of the public Internet', () => {
  let connect: RecordingConnect;
  beforeEach(() => void (connect = recordingConnect()));

  const opened = (lookup: Lookup = recordingLookup([PUBLIC]), proxy?: string): Egress =>
    openEgress({ clock: systemClock, allow: 'none', lookup, connect, ...(proxy !== undefined && { proxy }) });
  const faultOf = async (egress: Egress, url: string): Promise<string> => (await failureOf(egress.post(requestTo(url)))).fault;

  describe.each([
    ['straight', undefined],
    ['by a proxy', 'http://proxy.example.com:3128'],
  ])('%s', (_, proxy) => {
    it.each(HOSTS)('neither takes nor connects to http://%s', async (host) => {
      const lookup = recordingLookup([PUBLIC]);
      const egress = opened(lookup, proxy);
      for (const url of [`http://${host}`, `https://${host}/events`, `http://${host}:8080/`]) {
        expect(egress.objectionTo(url)).toMatch(/^It.*\.$/);
        expect(await faultOf(egress, url)).toBe('forbidden_address');
      }
      expect(lookup.asked).toEqual([]);
      expect(connect.asked).toEqual([]);
    });

    it.each([...FORBIDDEN_ADDRESSES, 'fe80::1%lo', `${PUBLIC_6}%lo`, '127.1', 'localhost', ''])(
      'connects to nothing when a name stands for %j, alone or among others',
      async (address) => {
        for (const answer of [[address], [PUBLIC, address], [address, PUBLIC], [PUBLIC, PUBLIC_6, address]]) {
          expect(await faultOf(opened(recordingLookup(answer), proxy), HOOKS)).toBe('forbidden_address');
        }
        expect(connect.asked).toEqual([]);
      },
    );
  });

  it.each(FORBIDDEN_URLS)('neither takes nor connects to %j', async (url) => {
    const egress = opened();
    expect(egress.objectionTo(url)).toMatch(/^It.*\.$/);
    expect(await faultOf(egress, url)).toBe('forbidden_address');
    expect(connect.asked).toEqual([]);
  });

  it('does not say which address a name stands for', async () => {
    const failure = await failureOf(opened(recordingLookup(['10.1.2.3'])).post(requestTo(HOOKS)));
    expect(failure.message).not.toContain('10.1.2.3');
  });
});

describe('the way out, when a name changes what it stands for', () => {
  it('connects to the answer that was checked, and asks no second time', async () => {
    const connect = recordingConnect();
    const lookup = recordingLookup([PUBLIC], ['127.0.0.1']);
    const egress = openEgress({ clock: systemClock, allow: 'none', lookup, connect });
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('unreachable');
    expect(lookup.asked).toEqual(['hooks.example.com']);
    expect(connect.asked).toEqual([`${PUBLIC} 443`]);
  });

  it('looks it up and checks it again for the next post', async () => {
    const connect = recordingConnect();
    const egress = openEgress({ clock: systemClock, allow: 'none', lookup: recordingLookup([PUBLIC], ['127.0.0.1']), connect });
    await failureOf(egress.post(requestTo(HOOKS)));
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('forbidden_address');
    expect(connect.asked).toEqual([`${PUBLIC} 443`]);
  });

  it('is not moved by an answer that is changed after it was given', async () => {
    const connect = recordingConnect();
    const answer = [PUBLIC, PUBLIC_6];
    const moving: typeof connect = Object.assign(
      (host: string, port: number) => {
        answer.fill('127.0.0.1');
        return connect(host, port);
      },
      { asked: connect.asked },
    );
    await failureOf(openEgress({ clock: systemClock, allow: 'none', lookup: async () => answer, connect: moving }).post(requestTo(HOOKS)));
    expect(connect.asked).toEqual([`${PUBLIC} 443`, `${PUBLIC_6} 443`]);
  });
});

describe('the way out, to the public Internet', () => {
  const opened = (connect: RecordingConnect, lookup: Lookup = recordingLookup([])): Egress =>
    openEgress({ clock: systemClock, allow: 'none', lookup, connect });

  it.each(ALLOWED_ADDRESSES)('connects to %s, given as it is or by a name', async (address) => {
    const connect = recordingConnect();
    const url = `http://${literal(address)}:8080/`;
    expect(opened(connect).objectionTo(url)).toBeNull();
    expect((await failureOf(opened(connect).post(requestTo(url)))).fault).toBe('unreachable');
    expect((await failureOf(opened(connect, recordingLookup([address])).post(requestTo(HOOKS)))).fault).toBe('unreachable');
    expect(connect.asked.map((asked) => asked.split(' ')[1])).toEqual(['8080', '443']);
    expect(connect.asked[1]).toBe(`${address} 443`);
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
  ])('takes %s', async (url, port) => {
    const connect = recordingConnect();
    const egress = opened(connect, recordingLookup([PUBLIC]));
    expect(egress.objectionTo(url)).toBeNull();
    await failureOf(egress.post(requestTo(url)));
    expect(connect.asked).toEqual([`${PUBLIC} ${port}`]);
  });

  it('tries every address that a name stands for', async () => {
    const connect = recordingConnect();
    await failureOf(opened(connect, recordingLookup([PUBLIC, PUBLIC_6])).post(requestTo(HOOKS)));
    expect(connect.asked).toEqual([`${PUBLIC} 443`, `${PUBLIC_6} 443`]);
  });

  it('says of a name that cannot be looked up that it is unknown', async () => {
    const connect = recordingConnect();
    const failing: Lookup = () => Promise.reject(new Error('SERVFAIL'));
    expect((await failureOf(opened(connect, failing).post(requestTo(HOOKS)))).fault).toBe('unknown_host');
    expect((await failureOf(opened(connect, recordingLookup([])).post(requestTo(HOOKS)))).fault).toBe('unknown_host');
    expect(connect.asked).toEqual([]);
  });
});

describe('the way out, where loopback is allowed', () => {
  const opened = (connect: RecordingConnect, lookup?: Lookup): Egress =>
    openEgress({ clock: systemClock, allow: 'loopback', connect, ...(lookup && { lookup }) });

  it.each(['127.0.0.1', '127.9.9.9', '[::1]', '2130706433', '[0:0:0:0:0:0:0:1]'])('takes %s, on any port', async (host) => {
    const connect = recordingConnect();
    for (const port of [22, 6379, 3000]) {
      expect(opened(connect).objectionTo(`http://${host}:${port}`)).toBeNull();
      await failureOf(opened(connect).post(requestTo(`http://${host}:${port}`)));
    }
    expect(connect.asked.map((asked) => asked.split(' ')[1])).toEqual(['22', '6379', '3000']);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost'])('takes %s, which no nameserver is asked for', async (host) => {
    const connect = recordingConnect();
    expect(opened(connect).objectionTo(`http://${host}:22`)).toBeNull();
    await failureOf(opened(connect).post(requestTo(`http://${host}:22`)));
    expect(connect.asked).toEqual(['127.0.0.1 22', '::1 22']);
  });

  it('connects where a name stands for it, on a receiver’s port', async () => {
    const connect = recordingConnect();
    await failureOf(opened(connect, recordingLookup(['127.0.0.1'])).post(requestTo('http://hooks.example.com:8080')));
    expect(connect.asked).toEqual(['127.0.0.1 8080']);
    expect(opened(connect).objectionTo('http://hooks.example.com:6379')).toMatch('port');
  });

  const others = FORBIDDEN_ADDRESSES.filter((address) => !address.startsWith('127.') && !/^[0:]*1$/.test(address));
  it.each(others)('still refuses %s', async (address) => {
    const connect = recordingConnect();
    const egress = opened(connect, recordingLookup([address]));
    expect(egress.objectionTo(`http://${literal(address)}`)).not.toBeNull();
    expect((await failureOf(egress.post(requestTo(HOOKS)))).fault).toBe('forbidden_address');
    expect(connect.asked).toEqual([]);
  });

  it('leaves the proxy aside for this machine: there it would be the proxy’s own', async () => {
    const connect = recordingConnect();
    const egress = openEgress({ clock: systemClock, allow: 'loopback', connect, proxy: 'http://proxy.example.com:3128' });
    await failureOf(egress.post(requestTo('http://127.0.0.1:5000')));
    expect(connect.asked).toEqual(['127.0.0.1 5000']);
  });
});
