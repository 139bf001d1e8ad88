import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { LeaseLost, type Lease } from '../../eventsourcing/ports/leases.port.js';
import type { EventCodec } from '../../eventsourcing/handle.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { Message, RecordedEvent } from '../../eventsourcing/message.js';
import { projection, type ParkedStream } from '../../eventsourcing/projection.js';
import { decodeWritten, memoryDocuments, memoryFaults, unaltered, writtenLog } from '../following/following.fixtures.js';
import { PARKED_STREAMS } from './parked-streams.js';
import { Projecting } from './projecting.js';
import { createProjector } from './projector.js';
import { notingFaults } from './stream-faults.js';

type ThingEvent = Message<'Made', null> | Message<'Grown', null> | Message<'Gone', null> | Message<'Odd', null>;

/** Whether what cannot be taken can be taken by now. */
let mended = false;
const things = projection<ThingEvent, { size: number }, { size: number }>({
  name: 'things',
  version: 1,
  category: 'thing',
  fields: { size: 'integer' },
  indexes: [],
  cells: ['size'],
  amount: () => 1,
  on: {
    Made: () => ({ body: { size: 1 }, fields: { size: 1 } }),
    Grown: (thing) => thing && { body: { size: thing.body.size + 1 }, fields: { size: thing.body.size + 1 } },
    Gone: () => null,
    Odd: (thing) => {
      if (!mended) throw new Error('odd');
      return thing;
    },
  },
});

const LEASE: Lease = { name: 'projection:things_v1', holder: 'one', fence: 1 };

describe('a projection at work', () => {
  let log: ReturnType<typeof writtenLog>;
  let memory: ReturnType<typeof memoryDocuments>;
  let isOurs: boolean;
  let faults: ReturnType<typeof memoryFaults>;
  let parked: ParkedStream[];
  let unreadable: string | null;
  /** What was asked of the database, in order. */
  let asked: string[];

  beforeEach(() => {
    log = writtenLog();
    faults = memoryFaults();
    [isOurs, parked, unreadable, asked, mended] = [true, [], null, [], false];
    memory = memoryDocuments(() => isOurs);
    memory.hooks.before = async (what) => void asked.push(what);
  });
  const decode = (event: StoredEvent): RecordedEvent => {
    const { stream, revision } = event;
    if (event.id === unreadable) throw new BrokenHistory({ stream, revision, kind: 'unreadable', reason: 'cannot be read', tenant: null });
    return decodeWritten(event);
  };
  const begin = (): Promise<Projecting> => {
    const onParked = (_: string, stream: ParkedStream): void => void parked.push(stream);
    return Projecting.begin({
      store: log.store,
      documents: memory.documents,
      codec: notingFaults({ ...unaltered, decode } as EventCodec, faults),
      faults,
      projector: createProjector(things),
      lease: LEASE,
      onParked,
    });
  };
  const given = (...names: readonly string[]): readonly StoredEvent[] => {
    const from = log.events.length;
    log.add(...names);
    return log.events.slice(from);
  };
  const sizes = () => Object.fromEntries(['1', '2', '3'].map((key) => [key, memory.jsonOf(things.collection, key) ?? null]));
  const cells = () => Object.fromEntries([...memory.cells].filter(([, amount]) => amount !== 0));
  const state = () => ({ at: memory.checkpoints.get('things_v1') ?? 0, ...sizes(), cells: cells() });
  const NOTHING = { at: 0, 1: null, 2: null, 3: null, cells: {} };

  it('writes what a batch comes to, and how far it is, in one step', async () => {
    const projecting = await begin();
    await projecting.take(given('thing-1', 'thing-2', 'thing-1:Grown', 'thing-2:Gone'));
    expect(state()).toEqual({ ...NOTHING, at: 4, 1: '{"size":2}', cells: { '[2]': 1 } });
    expect([memory.applied.length, projecting.position(), projecting.isUnstored()]).toEqual([1, 4, false]);
  });

  it('goes on where another has ended', async () => {
    await (await begin()).take(given('thing-1', 'thing-2'));
    const next = await begin();
    expect(next.position()).toBe(2);
    await next.take(given('thing-1:Grown'));
    expect(state()).toEqual({ ...NOTHING, at: 3, 1: '{"size":2}', 2: '{"size":1}', cells: { '[1]': 1, '[2]': 1 } });
  });

  it('counts once what comes twice', async () => {
    const projecting = await begin();
    const events = given('thing-1', 'thing-1:Grown');
    for (const batch of [events, events, events.slice(0, 1)]) await projecting.take(batch);
    expect(state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
  });

  it('begins a stream that comes again anew', async () => {
    const projecting = await begin();
    await projecting.take(given('thing-1', 'thing-1:Gone'));
    await projecting.take(given('thing-1:Made'));
    expect(state()).toEqual({ ...NOTHING, at: 3, 1: '{"size":1}', cells: { '[1]': 1 } });
  });

  it('writes nothing for events that are none of its own, and stores that it has passed them when it is asked to', async () => {
    const projecting = await begin();
    await projecting.take(given('other-1', 'other-2'));
    expect([projecting.position(), projecting.isUnstored(), state()]).toEqual([2, true, NOTHING]);
    await projecting.store();
    await projecting.store();
    expect([projecting.isUnstored(), state(), memory.applied.length]).toEqual([false, { ...NOTHING, at: 2 }, 1]);
  });

  it('reads a document once, and never one that has just begun', async () => {
    await (await begin()).take(given('thing-1'));
    const next = await begin();
    asked.length = 0;
    await next.take(given('thing-1:Grown', 'thing-2', 'thing-2:Grown'));
    await next.take(given('thing-1:Grown', 'thing-2:Grown'));
    expect(asked).toEqual(['get', 'apply', 'apply']);
    expect(sizes()).toEqual({ 1: '{"size":3}', 2: '{"size":3}', 3: null });
  });

  describe('on documents that are large', () => {
    const LARGE = '{"size":1}'.padEnd(3_000_000);
    /** Things that have begun, and whose documents are large; `revision` is what they have come to. */
    const givenLarge = async (count: number, revision = 0): Promise<readonly string[]> => {
      const keys = Array.from({ length: count }, (_, index) => String(index + 1));
      const events = given(...keys.map((key) => `thing-${key}`));
      const puts = keys.map((key) => ({ key, json: LARGE, fields: { size: 1 }, revision }));
      const writes = puts.map((document) => ({ kind: 'put', collection: things.collection, document }) as const);
      await memory.documents.apply(writes, { name: 'things_v1', position: events.length });
      memory.applied.length = 0;
      return keys.map((key) => `thing-${key}:Grown`);
    };

    it('writes in several steps what is too much for one', async () => {
      const grown = await givenLarge(3);
      await (await begin()).take(given(...grown));
      expect([memory.applied.length, sizes()]).toEqual([2, { 1: '{"size":2}', 2: '{"size":2}', 3: '{"size":2}' }]);
    });

    it('writes in one step what is not', async () => {
      const grown = await givenLarge(2);
      await (await begin()).take(given(...grown));
      expect([memory.applied.length, state().at]).toEqual([1, 4]);
    });

    it('remembers only so much of them', async () => {
      const grown = await givenLarge(30, 9);
      const projecting = await begin();
      for (const name of grown) await projecting.take(given(name));
      asked.length = 0;
      await projecting.take(given('thing-30:Grown'));
      await projecting.take(given('thing-1:Grown'));
      expect(asked).toEqual(['apply', 'get', 'apply']);
    });
  });

  it('takes a batch again that could not be written', async () => {
    const projecting = await begin();
    const events = given('thing-1', 'thing-1:Grown');
    memory.hooks.before = () => Promise.reject(new StoreUnavailable('MongoDB is gone'));
    await expect(projecting.take(events)).rejects.toThrow(StoreUnavailable);
    expect([projecting.position(), state()]).toEqual([0, NOTHING]);
    memory.hooks.before = () => Promise.resolve();
    await projecting.take(events);
    expect(state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
  });

  describe('whose lease is another’s', () => {
    it('writes nothing', async () => {
      const projecting = await begin();
      isOurs = false;
      await expect(projecting.take(given('thing-1'))).rejects.toThrow(LeaseLost);
      await projecting.take(given('other-1'));
      await expect(projecting.store()).rejects.toThrow(LeaseLost);
      expect(state()).toEqual(NOTHING);
    });

    it('is told so too by a position that is ahead of it', async () => {
      const projecting = await begin();
      const events = given('thing-1', 'thing-2');
      await (await begin()).take(events);
      await expect(projecting.take(events)).rejects.toThrow(LeaseLost);
      expect(state()).toMatchObject({ at: 2, cells: { '[1]': 2 } });
    });

    it('frees no parked stream', async () => {
      const projecting = await begin();
      await projecting.take(given('thing-1', 'thing-1:Odd'));
      [isOurs, mended] = [false, true];
      await expect(projecting.retryParked()).rejects.toThrow(LeaseLost);
      expect(memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1')).toBeDefined();
    });
  });

  describe('that cannot take an event', () => {
    const parkedKey = (): string | undefined => memory.jsonOf(PARKED_STREAMS, 'things_v1/thing-1');

    it('parks its stream, in the same step, and goes on with the others', async () => {
      const projecting = await begin();
      await projecting.take(given('thing-1', 'thing-1:Odd', 'thing-1:Grown', 'thing-2'));
      await projecting.take(given('thing-1:Grown', 'thing-2:Grown'));
      expect(state()).toEqual({ ...NOTHING, at: 6, 1: '{"size":1}', 2: '{"size":2}', cells: { '[1]': 1, '[2]': 1 } });
      expect(parked).toEqual([{ stream: 'thing-1', revision: 1, position: 2, reason: 'odd' }]);
      expect(parkedKey()).toContain('"revision":1');
    });

    it('parks a stream that cannot be read any further, and shows no more of it', async () => {
      const projecting = await begin();
      unreadable = 'event-2';
      await projecting.take(given('thing-1', 'thing-1:Grown', 'thing-1:Grown', 'thing-2'));
      expect(state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', cells: { '[1]': 1 } });
      expect(parked).toEqual([{ stream: 'thing-1', revision: 1, position: 2, reason: 'cannot be read' }]);
      expect(faults.of('thing-1')).toMatchObject({ revision: 1, kind: 'unreadable' });
    });

    it('takes out what it showed of a stream that turns out to be broken, also where another found it', async () => {
      const projecting = await begin();
      await projecting.take(given('thing-1', 'thing-2', 'thing-3'));
      unreadable = 'event-4';
      await projecting.take(given('thing-1:Grown'));
      expect(state()).toEqual({ ...NOTHING, at: 4, 2: '{"size":1}', 3: '{"size":1}', cells: { '[1]': 2 } });
      faults.note({ stream: 'thing-3', revision: 1, kind: 'altered', reason: 'event 1 of thing-3 is missing', tenant: null });
      await projecting.withdrawBroken();
      await projecting.take(given('thing-3:Grown'));
      expect(state()).toEqual({ ...NOTHING, at: 5, 2: '{"size":1}', cells: { '[1]': 1 } });
      // The event that is missing is there by now; a stream that still lacks one stays parked.
      faults.note({ stream: 'thing-2', revision: 1, kind: 'altered', reason: 'event 1 of thing-2 is missing', tenant: null });
      await projecting.withdrawBroken();
      unreadable = null;
      expect(await projecting.retryParked()).toBe(2);
      expect(state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":2}', 3: '{"size":2}', cells: { '[2]': 2 } });
      expect(faults.all().map(({ stream }) => stream)).toEqual(['thing-2']);
    });

    it('parks a stream once, where it cannot be read rather than where it cannot be taken', async () => {
      const projecting = await begin();
      unreadable = 'event-3';
      await projecting.take(given('thing-1', 'thing-1:Odd', 'thing-1:Grown'));
      expect(parked).toEqual([{ stream: 'thing-1', revision: 2, position: 3, reason: 'cannot be read' }]);
      expect(parkedKey()).toContain('"revision":2');
      await projecting.retryParked();
      expect(parkedKey()).toContain('"revision":2');
    });

    it('leaves a stream parked that another has parked', async () => {
      await (await begin()).take(given('thing-1', 'thing-1:Odd'));
      await (await begin()).take(given('thing-1:Grown', 'thing-2'));
      expect(sizes()).toEqual({ 1: '{"size":1}', 2: '{"size":1}', 3: null });
    });

    it('takes it up where it stopped once that is mended, up to its end, and counts nothing twice', async () => {
      const projecting = await begin();
      await projecting.take(given('thing-1', 'thing-1:Odd', 'thing-1:Grown'));
      expect(await projecting.retryParked()).toBe(0);
      mended = true;
      const later = given('thing-1:Grown', 'thing-2');
      expect(await projecting.retryParked()).toBe(1);
      expect(parkedKey()).toBeUndefined();
      await projecting.take(later);
      expect(state()).toEqual({ ...NOTHING, at: 5, 1: '{"size":3}', 2: '{"size":1}', cells: { '[3]': 1, '[1]': 1 } });
    });

    it('takes up a stream whose very first event it could not take', async () => {
      const projecting = await begin();
      unreadable = 'event-1';
      await projecting.take(given('thing-1', 'thing-1:Grown'));
      expect(state()).toEqual({ ...NOTHING, at: 2 });
      unreadable = null;
      expect(await projecting.retryParked()).toBe(1);
      expect(state()).toEqual({ ...NOTHING, at: 2, 1: '{"size":2}', cells: { '[2]': 1 } });
    });

    it('tries again and again, also after another has', async () => {
      const first = await begin();
      await first.take(given('thing-1', 'thing-1:Odd'));
      await first.retryParked();
      const second = await begin();
      await second.retryParked();
      mended = true;
      expect(await (await begin()).retryParked()).toBe(1);
    });
  });
});
