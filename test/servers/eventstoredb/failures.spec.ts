import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type EncodedEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { encodedEvent } from '../../contract/event-store.contract.js';
import { eventually } from '../../eventually.js';
import { openStores, type OpenedStores } from './opened-stores.js';

/** Milliseconds, longer than the time limit for a response. */
const A_MINUTE = 60_000;

let stores: OpenedStores;
let server: OpenedStores['server'];
let store: OpenedStores['store'];
const open: OpenedStores['open'] = (options) => stores.open(options);
const serve: OpenedStores['serve'] = () => stores.serve();

beforeEach(async () => {
  stores = await openStores();
  ({ server, store } = stores);
});
afterEach(() => stores.close());

const idsIn = async (stream: string): Promise<readonly string[]> => (await store.readStream(stream)).map(({ id }) => id);
const idsOf = (events: readonly EncodedEvent[]): readonly string[] => events.map(({ id }) => id);
const pair = (): readonly EncodedEvent[] => [encodedEvent(), encodedEvent()];

describe('an append with a lost response', () => {
  it('resolves as appended when it was written before the connection broke', async () => {
    const events = pair();
    server.faults.nextAppends.push('cut after commit');
    const result = await store.append('pet-1', 'none', events);
    expect(result).toEqual({ kind: 'appended', revision: 1, position: await store.lastPosition() });
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
    expect(stores.warnings).toEqual(['the response to an append was lost; its outcome was read from the stream']);
  });

  it('resolves as appended when it was written and the server does not respond', async () => {
    const clock = manualClock();
    const patient = await open({ clock });
    const events = pair();
    server.faults.nextAppends.push('silence after commit');
    const appending = patient.append('pet-1', 'none', events);
    await eventually('the events written', async () => (await store.readStream('pet-1')).length === 2);
    clock.advance(A_MINUTE);
    expect(await appending).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
  });

  it('is sent again with the same events when it was not written', async () => {
    const events = pair();
    server.faults.nextAppends.push('cut before commit', 'cut before commit');
    expect(await store.append('pet-1', 'none', events)).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
  });

  it('is a conflict when other events have its revisions', async () => {
    const events = pair();
    await store.append('pet-1', 'none', events);
    server.faults.nextAppends.push('cut before commit');
    expect(await store.append('pet-1', 0, [encodedEvent()])).toEqual({ kind: 'conflict', actual: 1 });
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
  });

  it('rejects with an unknown outcome after repeated lost responses, even if the events are not found', async () => {
    const events = pair();
    server.faults.nextAppends.push(...Array.from({ length: 4 }, () => 'cut before commit' as const));
    const rejected = store.append('pet-1', 'none', events);
    await expect(rejected).rejects.toThrow(StoreUnavailable);
    await expect(rejected).rejects.toThrow('is unknown');
    expect(server.faults.nextAppends).toEqual([]);
    expect(await store.append('pet-1', 'none', events)).toMatchObject({ kind: 'appended', revision: 1 });
  });

  it('rejects with an unknown outcome when the server is unreachable, and a retry returns the first result', async () => {
    const events = pair();
    const witness = await open();
    server.faults.nextAppends.push('silence after commit');
    const appending = store.append('pet-1', 'none', events).catch((error: unknown) => error);
    await eventually('the events written', async () => (await witness.readStream('pet-1')).length === 2);
    await server.stop();
    const error = await appending;
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toContain('is unknown');
    await server.start();
    await eventually('the server back', async () => (await store.ready(), true));
    expect(await store.append('pet-1', 'none', events)).toMatchObject({ kind: 'appended', revision: 1 });
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
  });
});

describe('the same append sent twice at once', () => {
  const appendTwice = async (timeout: number) => {
    const [one, other] = [await open({ timeout }), await open({ timeout })];
    const events = pair();
    const results = await Promise.all([one.append('pet-1', 'none', events), other.append('pet-1', 'none', events)]);
    return { events, results, position: await store.lastPosition() };
  };

  it('returns the same result twice when the server responds to the second with a timeout', async () => {
    server.faults.writeTimeout = 50;
    const { events, results, position } = await appendTwice(1_500);
    expect(results).toEqual(Array(2).fill({ kind: 'appended', revision: 1, position }));
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
    expect(stores.warnings).toEqual(['the response to an append was lost; its outcome was read from the stream']);
  });

  it('returns the same result twice when the server does not respond in time', async () => {
    const { events, results, position } = await appendTwice(1_500);
    expect(results).toEqual(Array(2).fill({ kind: 'appended', revision: 1, position }));
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
  });
});

describe('a server that is not the leader', () => {
  it('redirects appends and reads to the leader', async () => {
    const leader = await serve();
    server.faults.leader = { host: '127.0.0.1', port: leader.port };
    const events = pair();
    expect(await store.append('pet-1', 'none', events)).toMatchObject({ kind: 'appended', revision: 1 });
    const atTheLeader = await open({ url: leader.url });
    expect((await atTheLeader.readStream('pet-1')).map(({ id }) => id)).toEqual(idsOf(events));
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
  });

  it('is unavailable without a leader, and nothing is written', async () => {
    server.faults.leader = 'unknown';
    const rejected = store.append('pet-1', 'none', pair());
    await expect(rejected).rejects.toThrow(StoreUnavailable);
    await expect(rejected).rejects.not.toThrow('unknown');
    server.faults.leader = null;
    expect(await store.readStream('pet-1')).toEqual([]);
    expect(await store.append('pet-1', 'none', pair())).toMatchObject({ kind: 'appended' });
  });
});

describe('a stopped server', () => {
  it('makes every call reject with certainty that nothing was written, and works again after its restart', async () => {
    const events = pair();
    await store.append('pet-1', 'none', events);
    await server.stop();
    for (const call of [() => store.ready(), () => store.readStream('pet-1'), () => store.readAll(0, 10), () => store.lastPosition()])
      await expect(call()).rejects.toThrow(StoreUnavailable);
    const rejected = store.append('pet-2', 'none', pair());
    await expect(rejected).rejects.toThrow(StoreUnavailable);
    await expect(rejected).rejects.not.toThrow('is unknown');
    await server.start();
    await eventually('the server back', async () => (await store.ready(), true));
    expect(await idsIn('pet-1')).toEqual(idsOf(events));
    expect(await store.append('pet-2', 'none', pair())).toMatchObject({ kind: 'appended' });
  });

  it('is reported with its address at the end of the message', async () => {
    await server.stop();
    await expect(store.ready()).rejects.toThrow(
      new RegExp(`^EventStoreDB is unavailable: .*connect ECONNREFUSED 127\\.0\\.0\\.1:${server.port}$`),
    );
  });

  it('is unavailable to a closed store', async () => {
    await store.close();
    await expect(store.append('pet-1', 'none', pair())).rejects.toThrow(StoreUnavailable);
    await expect(store.subscribe(0, new AbortController().signal)[Symbol.asyncIterator]().next()).rejects.toThrow(StoreUnavailable);
  });
});

describe('a request that no server accepts', () => {
  it('is rejected with an error other than StoreUnavailable, because a retry cannot succeed', async () => {
    const rejected = store.append('pet-1', 'none', [encodedEvent('Big', 'x'.repeat(1_100_000))]);
    await expect(rejected).rejects.toThrow('Maximum Append Size Exceeded');
    await expect(rejected).rejects.not.toThrow(StoreUnavailable);
    expect(await store.readStream('pet-1')).toEqual([]);
  });

  it('is rejected if its address is invalid, and the error does not contain the password of the address', async () => {
    const rejected = open({ url: 'mysql://admin:geheim@127.0.0.1' });
    await expect(rejected).rejects.toThrow('the address of EventStoreDB is invalid');
    await expect(rejected).rejects.not.toThrow('geheim');
  });
});

describe('a certificate file that the address names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const garbage = join(folder, 'garbage.pem');
  writeFileSync(garbage, 'no certificate');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['does not exist', `tlsCAFile=${join(folder, 'none.pem')}`, `tlsCAFile=${join(folder, 'none.pem')}, which does not exist`],
    ['is a folder', `tls=true&tls_ca_file=${folder}`, `tls_ca_file=${folder}, which is a folder`],
    [
      'contains no certificate',
      `tlsCAFile=${encodeURIComponent(garbage)}`,
      `tlsCAFile=${garbage}, which does not contain a certificate in PEM`,
    ],
    ['contains no key', `userKeyFile=${garbage}`, `userKeyFile=${garbage}, which does not contain a private key in PEM`],
  ])('is named in the error when it %s', async (_, option, message) => {
    const rejected = open({ url: `esdb://admin:geheim@127.0.0.1:2113?${option}` });
    await expect(rejected).rejects.toThrow(message);
    await expect(rejected).rejects.not.toThrow('geheim');
  });

  it('is accepted when it contains a certificate', async () => {
    const url = 'esdb://127.0.0.1:2113?tlsCAFile=test/contract/certificates/authority.pem';
    await expect(open({ url })).resolves.toBeDefined();
  });
});

describe('an auditor with the standard client', () => {
  it('reads events as JSON', async () => {
    const event = encodedEvent('PetListed', { name: 'Bär' }, { tenant: 'shared' });
    await store.append('pet-1', 'none', [event]);
    const client = EventStoreDBClient.connectionString(server.url);
    const read = [];
    for await (const { event: found } of client.readStream('pet-1')) read.push(found);
    await client.dispose();
    expect(read).toMatchObject([{ id: event.id, isJson: true, type: 'PetListed', data: { name: 'Bär' }, metadata: { tenant: 'shared' } }]);
  });
});
