import { describe, expect, it } from '@jest/globals';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import type { EncodedEvent, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { createCodec, traceparentIn, type EventDeclaration } from './codec.js';
import { openSealed } from './sealing.js';

const context: CommandContext = { tenant: 'shared', actor: 'alice', correlationId: 'c-1', causationId: 'r-1', requestId: 'r-1' };
const declarations: Record<string, EventDeclaration> = {
  Greeted: { schemaVersion: 1, upcasters: {} },
  SharedByTwo: { schemaVersion: 1, upcasters: {}, personal: { subject: () => ['person:1', 'person:2'], paths: ['note'] } },
  Named: { schemaVersion: 1, upcasters: {}, personal: { subject: () => 'person:1', paths: ['who.name', 'note'] } },
  Grown: {
    schemaVersion: 3,
    upcasters: { 1: (data: { cm: number }) => ({ mm: data.cm * 10 }), 2: (data: { mm: number }) => ({ height: data.mm }) },
  },
};

const vault = (): KeyVault & { destroyed: Set<string> } => {
  const destroyed = new Set<string>();
  return {
    destroyed,
    serviceKey: () => Promise.resolve(new Uint8Array(32)),
    personalKey: (subject) => Promise.resolve(destroyed.has(subject) ? null : new Uint8Array(32).fill(7)),
    destroyPersonalKey: (subject) => Promise.resolve(void destroyed.add(subject)),
  };
};

const setUp = () => {
  const keys = vault();
  let made = 0;
  const ids = { next: () => `00000000-0000-7000-8000-${String(++made).padStart(12, '0')}`, derived: () => 'derived' };
  const clock = manualClock('2026-01-02T03:04:05.678Z');
  return { keys, codec: createCodec(declarations, { keys, ids, clock }) };
};

const stored = (events: readonly EncodedEvent[], from = 0): StoredEvent[] =>
  events.map((event, index) => ({ ...event, stream: 'thing-1', revision: from + index, position: 10 + from + index }));

const START = { revision: 'none', hash: '' } as const;

describe('the codec', () => {
  it('decodes a recorded event and its metadata', async () => {
    const { codec } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'Greeted', data: { text: 'grüß 🐶', n: 1.5 } }], context);
    const [event] = stored(encoded).map((one) => codec.decode(one));
    expect(event).toMatchObject({ type: 'Greeted', data: { text: 'grüß 🐶', n: 1.5 }, position: 10 });
    expect(event?.meta).toEqual({ ...context, stream: 'thing-1', revision: 0, time: '2026-01-02T03:04:05.678Z' });
  });

  it('records the span of a command in the metadata, which its hash covers (contract 25.8)', async () => {
    const { codec } = setUp();
    const traceparent = '00-000000000000000000000000000000aa-00000000000000bb-01';
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'Greeted', data: {} }], { ...context, traceparent });
    const [event] = stored(encoded);
    if (!event) throw new Error('no event');
    expect(traceparentIn(event)).toBe(traceparent);
    expect(codec.decode(event).meta.traceparent).toBe(traceparent);
    expect(Object.keys(JSON.parse(event.metadata) as object)).toEqual(Object.keys(JSON.parse(event.metadata) as object).toSorted());
    expect(codec.verify(event, '')).not.toBe('');
    const other = { ...event, metadata: event.metadata.replace(traceparent, traceparent.replace('bb', 'cc')) };
    expect(() => codec.verify(other, '')).toThrow('does not match its hash');
  });

  it('records no span if the request is not traced', async () => {
    const { codec } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'Greeted', data: {} }], context);
    expect(encoded.map(traceparentIn)).toEqual([undefined]);
    expect(encoded[0]?.metadata).not.toContain('traceparent');
  });

  it('writes canonical JSON, so that equal data has equal bytes', async () => {
    const { codec } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'Greeted', data: { b: 1, a: { d: undefined, c: [2] } } }], context);
    expect(encoded[0]?.data).toBe('{"a":{"c":[2]},"b":1}');
    const metadata = encoded[0]?.metadata ?? '';
    expect(Object.keys(JSON.parse(metadata) as object)).toEqual(Object.keys(JSON.parse(metadata) as object).toSorted());
  });

  it('upcasts older versions to the current shape, step by step', async () => {
    const { codec } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'Grown', data: { height: 5 } }], context);
    const [today] = stored(encoded);
    const old = { ...today, data: '{"cm":12}', metadata: today?.metadata.replace('"schemaVersion":3', '"schemaVersion":1') } as StoredEvent;
    expect(codec.decode(old).data).toEqual({ height: 120 });
  });

  it('rejects an unknown event type', async () => {
    const { codec } = setUp();
    await expect(codec.encode('thing-1', START, [{ type: 'Unknown', data: {} }], context)).rejects.toThrow('unknown event type Unknown');
  });

  it.each([
    ['an event without metadata', { type: 'Greeted', metadata: '' }, 'Greeted', 'Unexpected end of JSON input'],
    ['an event of an unknown type', { type: 'Unknown' }, 'Unknown', 'unknown event type Unknown'],
  ])('names the event that it cannot read: %s', async (_, changed, type, reason) => {
    const { codec } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'Greeted', data: {} }], context);
    const [event] = stored(encoded, 7).map((one) => ({ ...one, ...changed }));
    const where = `event 7 of thing-1, a ${type} at position 17, cannot be read: `;
    expect(() => event && codec.decode(event)).toThrow(where + reason);
  });
});

describe('the hash chain', () => {
  const chain = async () => {
    const { codec } = setUp();
    const first = await codec.encode(
      'thing-1',
      START,
      [
        { type: 'Greeted', data: { n: 1 } },
        { type: 'Greeted', data: { n: 2 } },
      ],
      { ...context, bodyDigest: 'd' },
    );
    const second = await codec.encode('thing-1', first.end, [{ type: 'Greeted', data: { n: 3 } }], context);
    return { codec, events: [...stored(first.encoded), ...stored(second.encoded, 2)] };
  };
  const verifyAll = (codec: ReturnType<typeof setUp>['codec'], events: readonly StoredEvent[]) =>
    events.reduce((previous, event) => codec.verify(event, previous), '');

  it('verifies an unchanged history', async () => {
    const { codec, events } = await chain();
    expect(verifyAll(codec, events)).toMatch(/^[\w-]{43}$/);
  });

  const tampered: [string, (events: StoredEvent[]) => StoredEvent[]][] = [
    ['changed data', (e) => e.map((one) => ({ ...one, data: one.data.replace('2', '7') }))],
    ['a changed actor', (e) => e.map((one) => ({ ...one, metadata: one.metadata.replace('alice', 'mallory') }))],
    ['a dropped event', (e) => [e[0], e[2]].filter((one) => one !== undefined)],
    ['two swapped events', (e) => [e[1], e[0], e[2]].filter((one) => one !== undefined)],
    ['a changed type', (e) => e.map((one) => ({ ...one, type: 'Grown' }))],
    ['a changed tenant', (e) => e.map((one) => ({ ...one, metadata: one.metadata.replace('"shared"', '"other"') }))],
    ['a changed hash', (e) => e.map((one) => ({ ...one, metadata: one.metadata.replace(/"hash":"./, '"hash":"_') }))],
    ['a dropped first event', (e) => e.slice(1)],
    ['a renumbered event', (e) => e.map((one) => ({ ...one, revision: one.revision + 1 }))],
    ['invalid JSON as data', (e) => e.map((one) => ({ ...one, data: '{"n":' }))],
    ['invalid JSON as metadata', (e) => e.map((one) => ({ ...one, metadata: one.metadata.slice(0, 40) }))],
    ['missing metadata', (e) => e.map((one) => ({ ...one, metadata: '' }))],
    ['metadata that is not an object', (e) => e.map((one) => ({ ...one, metadata: 'null' }))],
    ['a duplicate tenant member', (e) => e.map((one) => ({ ...one, metadata: one.metadata.replace(/}$/, ',"tenant":"other"}') }))],
  ];
  it.each(tampered)('detects %s', async (_, change) => {
    const { codec, events } = await chain();
    expect(() => verifyAll(codec, change(events))).toThrow(BrokenHistory);
  });
});

describe('an event of a newer version', () => {
  it('is reported as unreadable, not as altered, because its chain is intact', async () => {
    const { keys, codec } = setUp();
    const newer: Record<string, EventDeclaration> = {
      Greeted: { schemaVersion: 2, upcasters: {} },
      Unknown: { schemaVersion: 1, upcasters: {} },
    };
    const ids = { next: () => '00000000-0000-7000-8000-000000000001', derived: () => 'derived' };
    const writer = createCodec(newer, { keys, ids, clock: manualClock(0) });
    const { encoded } = await writer.encode(
      'thing-1',
      START,
      [
        { type: 'Greeted', data: {} },
        { type: 'Unknown', data: {} },
      ],
      context,
    );
    const [greeted, unknown] = stored(encoded) as [StoredEvent, StoredEvent];
    expect(codec.verify(unknown, codec.verify(greeted, ''))).toMatch(/^[\w-]{43}$/);
    expect(faultOf(() => codec.decode(greeted))).toMatchObject({ stream: 'thing-1', revision: 0, kind: 'unreadable' });
    expect(() => codec.decode(greeted)).toThrow('Greeted has schema version 2, but this software knows only up to 1');
    expect(faultOf(() => codec.decode(unknown))).toMatchObject({ revision: 1, kind: 'unreadable' });
  });
});

const faultOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof BrokenHistory ? error.fault : error;
  }
};

describe('personal fields', () => {
  const named = { type: 'Named', data: { who: { name: 'Ada Lovelace', age: 36 }, note: 'likes cats' } };

  it('are stored encrypted, and decrypted with the person’s key', async () => {
    const { codec, keys } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [named], context);
    expect(encoded[0]?.data).not.toMatch(/Ada|likes/);
    expect(JSON.parse(await openSealed(keys, encoded[0]?.data ?? ''))).toEqual(named.data);
  });

  it('are null once the key is destroyed', async () => {
    const { codec, keys } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [named], context);
    await keys.destroyPersonalKey('person:1');
    expect(JSON.parse(await openSealed(keys, encoded[0]?.data ?? ''))).toEqual({ who: { name: null, age: 36 }, note: null });
  });

  it('of two persons are null once one of the keys is destroyed', async () => {
    const { codec, keys } = setUp();
    const shared = { type: 'SharedByTwo', data: { note: 'likes cats' } };
    const { encoded } = await codec.encode('thing-1', START, [shared], context);
    const stored = encoded[0]?.data ?? '';
    expect(stored).not.toContain('likes');
    expect(JSON.parse(await openSealed(keys, stored))).toEqual(shared.data);
    await keys.destroyPersonalKey('person:2');
    expect(JSON.parse(await openSealed(keys, stored))).toEqual({ note: null });
    const later = await codec.encode('thing-2', START, [shared], context);
    expect(later.encoded[0]?.data).toBe('{"note":{"$sealed":"","subject":["person:1","person:2"]}}');
  });

  it('of two persons need both keys', async () => {
    const { codec, keys } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [{ type: 'SharedByTwo', data: { note: 'likes cats' } }], context);
    const ofOne = (encoded[0]?.data ?? '').replace('["person:1","person:2"]', '"person:1"');
    await expect(openSealed(keys, ofOne)).rejects.toThrow('does not open the data sealed with it');
  });

  it('cannot be decrypted when a byte of them has changed', async () => {
    const { codec, keys } = setUp();
    const { encoded } = await codec.encode('thing-1', START, [named], context);
    const changed = (encoded[0]?.data ?? '').replace(/"\$sealed":"(.)/, (_, first: string) => `"$sealed":"${first === 'A' ? 'B' : 'A'}`);
    await expect(openSealed(keys, changed)).rejects.toThrow();
  });

  it('are not encrypted twice when they are copied to another event', async () => {
    const { codec } = setUp();
    const { recorded } = await codec.encode('thing-1', START, [named], context);
    const again = await codec.encode('thing-2', START, [{ type: 'Named', data: recorded[0]?.data }], context);
    expect(again.recorded[0]?.data).toEqual(recorded[0]?.data);
  });
});
