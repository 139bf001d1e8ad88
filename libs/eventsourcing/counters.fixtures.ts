import { rejected, type Decider } from './decider.js';
import type { EventCodec } from './event-codec.js';
import type { CommandContext, Message } from './message.js';
import type { EncodedEvent, EventStore, StoredEvent } from './ports/event-store.port.js';

export type Counter = { readonly tenant: string | null; readonly count: number };
export type Add = Message<'Add', { readonly upTo: number }>;
export type Added = Message<'Added', { readonly by: number }>;

const decider: Decider<Counter, Add, Added, 'full'> = {
  initial: { tenant: null, count: 0 },
  decide: ({ data }, { count }) => (data.upTo < 0 ? [] : count < data.upTo ? [{ type: 'Added', data: { by: 1 } }] : rejected('full')),
  evolve: ({ count }, { data }, { tenant }) => ({ tenant, count: count + data.by }),
};
export const counters = { category: 'counter', decider };
export const context: CommandContext = { tenant: 'shared', actor: 'test', correlationId: 'c', causationId: 'c' };
export const add = (upTo: number): Add => ({ type: 'Add', data: { upTo } });

/**
 * A minimal store of streams in memory. `before` runs before each append, so that other writers can append
 * first.
 */
export const memoryStore = (before: (append: EventStore['append']) => Promise<unknown> = () => Promise.resolve()) => {
  const streams = new Map<string, StoredEvent[]>();
  let reads = 0;
  const append: EventStore['append'] = (stream, expected, events) => {
    const known = streams.get(stream) ?? [];
    const actual = known.length === 0 ? 'none' : known.length - 1;
    if (actual !== expected) return Promise.resolve({ kind: 'conflict', actual });
    streams.set(stream, [...known, ...events.map((event, index) => ({ ...event, stream, revision: known.length + index, position: 0 }))]);
    return Promise.resolve({ kind: 'appended', revision: known.length + events.length - 1, position: 0 });
  };
  const store: EventStore = {
    append: async (...call) => {
      await before(append);
      return append(...call);
    },
    readStream: (stream, from = 0, limit = 1000) => {
      reads++;
      return Promise.resolve((streams.get(stream) ?? []).slice(from, from + limit));
    },
    readAll: () => Promise.resolve([]),
    subscribe: () => {
      throw new Error('not used in this test');
    },
  };
  return { store, streams, reads: () => reads };
};

export const encode = (type: string, data: unknown): EncodedEvent => ({ id: 'id', type, data: JSON.stringify(data), metadata: '' });
export const meta = (stream: string, revision: number, tenant = 'shared') => ({ ...context, tenant, stream, revision, time: '' });
export const codec: EventCodec = {
  encode: (stream, end, events, { tenant }) => {
    const first = end.revision === 'none' ? 0 : end.revision + 1;
    const recorded = events.map((event, index) => ({ ...event, id: 'id', meta: meta(stream, first + index, tenant) }));
    return Promise.resolve({
      encoded: events.map(({ type, data }) => encode(type, data)),
      recorded,
      end: { revision: first + events.length - 1, hash: '' },
    });
  },
  decode: ({ stream, revision, type, data }) => ({
    id: 'id',
    position: 0,
    type,
    data: JSON.parse(data) as unknown,
    meta: meta(stream, revision),
  }),
  verify: () => '',
  hashOf: () => '',
  skippedRevisions: () => [],
};
