import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, DocumentQuery, DocumentWrite } from '../../../libs/eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease } from '../../../libs/eventsourcing/ports/leases.port.js';
import { NO_CHANGES } from '../../../libs/eventsourcing/projecting.js';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { DocumentServer } from './simulated-documents.js';
import { LeaseServer } from './simulated-leases.js';

const cups: Collection = { name: 'cups', version: 1, fields: { kind: 'text' }, indexes: [], cells: ['kind'] };
const put = (key: string, kind = 'mug'): DocumentWrite => ({
  kind: 'put',
  collection: cups,
  document: { key, json: '{}', fields: { kind }, revision: 0 },
});
const add = (by: number): DocumentWrite => ({ kind: 'increment', collection: cups, cell: ['mug'], by });
const all: DocumentQuery = { where: {}, sort: ['key'], limit: 100, offset: 0 };
const event = { stream: 'cup-1', revision: 0, id: 'event-1' };

describe('a transaction of a document server', () => {
  let server: DocumentServer;
  beforeEach(() => {
    server = new DocumentServer(manualClock());
    server.prepare(cups);
    server.apply([put('a'), add(1)], { name: 'cups_v1', position: 1, event });
  });

  const content = (): unknown => ({
    documents: server.find(cups, all).map(({ key, fields }) => `${key} ${fields['kind']}`),
    cells: server.sum(cups, {}, 'kind'),
    checkpoint: server.checkpointRecord('cups_v1'),
  });
  const fail = (): never => {
    throw new Error('the append failed');
  };

  it('keeps all changes if it succeeds, and returns its result', () => {
    expect(server.transaction(() => server.apply([put('b'), add(1)], { name: 'cups_v1', position: 2 }))).toBe(true);
    expect(content()).toEqual({ documents: ['a mug', 'b mug'], cells: { mug: 2 }, checkpoint: { name: 'cups_v1', position: 2 } });
  });

  it.each<[string, () => void]>([
    ['writes', () => server.apply([put('a', 'bowl'), put('b'), add(-1)], { name: 'cups_v1', position: 2 })],
    ['a deletion', () => server.apply([{ kind: 'delete', collection: cups, key: 'a' }])],
    ['uses', () => server.use(cups, { key: 'c', json: '{}', fields: {}, revision: 0 }, { times: 1, milliseconds: 1 })],
    ['a clearing', () => server.clear([cups])],
    ['filled read models', () => server.store([{ ...NO_CHANGES, collection: cups, writes: [put('b'), add(5)], reached: { position: 9 } }])],
  ])('undoes %s if it throws', (_, change) => {
    const before = content();
    expect(() =>
      server.transaction(() => {
        change();
        fail();
      }),
    ).toThrow('the append failed');
    expect(content()).toEqual(before);
  });

  it('undoes only the changes of an inner transaction that throws', () => {
    server.transaction(() => {
      server.apply([put('b')]);
      expect(() =>
        server.transaction(() => {
          server.apply([put('b', 'bowl'), put('c')]);
          fail();
        }),
      ).toThrow();
      server.apply([put('d')]);
    });
    expect(server.find(cups, all).map(({ key, fields }) => `${key} ${fields['kind']}`)).toEqual(['a mug', 'b mug', 'd mug']);
  });

  it('undoes the changes of an inner transaction that succeeded', () => {
    expect(() =>
      server.transaction(() => {
        server.transaction(() => server.apply([put('b')]));
        fail();
      }),
    ).toThrow();
    expect(server.count(cups, {})).toBe(1);
  });
});

describe('a checkpoint under a lease', () => {
  let clock: ManualClock;
  let leases: LeaseServer;
  let server: DocumentServer;
  beforeEach(() => {
    clock = manualClock();
    leases = new LeaseServer(clock);
    server = new DocumentServer(clock, leases);
    server.prepare(cups);
  });

  const acquire = (owner: string): Lease => {
    const lease = leases.acquire('projections', owner, 1_000);
    if (!lease) throw new Error(`${owner} did not get the lease`);
    return lease;
  };

  it('is moved after the lease has expired, until another process acquires the lease', () => {
    const lease = acquire('anna');
    clock.advance(5_000);
    expect(server.apply([put('a')], { name: 'cups_v1', position: 1, event, lease })).toBe(true);
    expect(server.checkpointRecord('cups_v1')).toEqual({ name: 'cups_v1', position: 1, event, lease });
    acquire('bert');
    expect(() => server.apply([put('b')], { name: 'cups_v1', position: 2, lease })).toThrow(LeaseLost);
  });

  it('is not moved by writes that were made before the collection was cleared', () => {
    const lease = acquire('anna');
    server.apply([put('a')], { name: 'cups_v1', position: 1, lease });
    server.clear([cups]);
    expect(() => server.apply([put('b')], { name: 'cups_v1', position: 2, lease })).toThrow(LeaseLost);
    expect(server.apply([put('b')], { name: 'cups_v1', position: 1, lease: acquire('anna') })).toBe(true);
  });
});

it('texts are sorted by code points beyond 16 bits too', () => {
  const server = new DocumentServer(manualClock());
  server.prepare(cups);
  server.apply(['😀', '\uff00', '😀a', 'a', '😁'].map((key) => put(key)));
  expect(server.find(cups, all).map(({ key }) => key)).toEqual(['a', '\uff00', '😀', '😀a', '😁']);
});
