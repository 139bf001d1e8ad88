import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { GetPastState, GetPastStateHandler, type Moment } from '../../libs/application/history/history.queries.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import type { StreamEnd } from '../../libs/eventsourcing/event-codec.js';
import type { EventStore, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { createCodec } from '../../libs/runtime/codec/codec.js';
import { KINDS, pick, type ModelKind, type ModelStep, type Random, type Shown } from './history-model.js';

const HISTORIES = 10_000;
const SEED = 20_260_102;
const START = Date.parse('2026-01-02T03:04:05.678Z');
const TENANTS = ['shared', '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60'];

type Category = keyof typeof KINDS;
type History = {
  readonly category: Category;
  readonly id: string;
  readonly tenant: string;
  readonly steps: readonly ModelStep[];
  readonly isErased: boolean;
};

/** Returns a history of up to 9 events. The time of an event can equal the time of the event before it, or be earlier. */
const randomHistory = (random: Random, number: number): History => {
  const category = pick(random, Object.keys(KINDS) as readonly Category[]);
  const id = `0190a6b2-7c1e-7000-8000-${String(number).padStart(12, '0')}`;
  const tenant = pick(random, TENANTS);
  const kind: ModelKind = KINDS[category];
  const steps: ModelStep[] = [];
  let at = START;
  for (let left = 1 + Math.floor(random() * 9); left > 0; left--) {
    const own = { id, tenant, time: new Date(at).toISOString() };
    const last = steps.at(-1);
    steps.push({ ...(last ? kind.next(random, last.state, own) : kind.first(random, own)), time: own.time });
    at += pick(random, [0, 1, 999, 86_400_000, -1]);
  }
  // If an account has the event UserErased, its key is destroyed. In the other categories, a fifth of the keys are destroyed.
  const isErased = category === 'user' ? steps.some(({ type }) => type === 'UserErased') : random() < 0.2;
  return { category, id, tenant, steps, isErased };
};

/** Returns the state with null instead of the personal values at `paths`. */
const erased = (state: Shown, paths: readonly string[]): Shown =>
  paths.reduce((shown, path) => {
    const [name = '', inner] = path.split('.');
    if (!(name in shown)) return shown;
    if (inner === undefined) return { ...shown, [name]: null };
    const holder = shown[name] as Shown;
    return inner in holder ? { ...shown, [name]: { ...holder, [inner]: null } } : shown;
  }, state);

/** Returns functions that append to a log in memory and query it, with the real codec and the real query handler. */
const openLog = () => {
  const streams = new Map<string, StoredEvent[]>();
  const destroyed = new Set<string>();
  const store = {
    readStream: (stream: string, from = 0, limit = Infinity) =>
      Promise.resolve((streams.get(stream) ?? []).slice(from, from === 0 && limit === Infinity ? undefined : from + limit)),
  } as unknown as EventStore;
  const never = (): never => {
    throw new Error('not used');
  };
  const keys = {
    serviceKey: never,
    personalKey: (subject: string) => Promise.resolve(destroyed.has(subject) ? null : new Uint8Array(32).fill(subject.length)),
    destroyPersonalKey: (subject: string) => Promise.resolve(void destroyed.add(subject)),
  };
  let ids = 0;
  const clock = manualClock();
  const next = () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`;
  const codec = createCodec(DOMAIN_EVENTS, {
    keys,
    ids: { next, derived: never },
    clock,
  });
  const append = async ({ category, id, tenant, steps }: History): Promise<void> => {
    const stream = `${category}-${id}`;
    const context = { tenant, actor: 'staff', correlationId: 'request-1', causationId: 'request-1' };
    const stored: StoredEvent[] = [];
    let end: StreamEnd = { revision: 'none', hash: '' };
    for (const { type, data, time } of steps) {
      clock.set(time);
      const result = await codec.encode(stream, end, [{ type, data }], context);
      for (const event of result.encoded) stored.push({ ...event, stream, revision: stored.length, position: ids });
      end = result.end;
    }
    streams.set(stream, stored);
  };
  const handler = new GetPastStateHandler(new Aggregates(store, codec), store, codec, keys);
  const stateAt = ({ category, id, tenant }: History, moment: Moment) =>
    handler.execute(new GetPastState(category, id, moment, { tenant, isPersonalShown: true }));
  return { append, stateAt, erase: (subject: string) => keys.destroyPersonalKey(subject), forget: () => streams.clear() };
};

/** What the query should return: the revision, the time and the state after the first `count` events. */
const expectedAfter = ({ category, id, steps, isErased }: History, count: number) => {
  const step = steps[count - 1];
  if (!step?.state) return null;
  const state = isErased ? erased(step.state, KINDS[category].personal) : step.state;
  return { stream: `${category}-${id}`, revision: count - 1, time: step.time, state };
};

/** Returns the number of events before the first event that is later than `time`. */
const countUntil = ({ steps }: History, time: number): number => {
  const later = steps.findIndex((step) => Date.parse(step.time) > time);
  return later === -1 ? steps.length : later;
};

/** Returns moments to query. With each is the number of events after which the state must be shown, or 0 if none is shown. */
const momentsOf = (history: History): readonly (readonly [Moment, number])[] => [
  ...history.steps.flatMap(({ time }, revision): (readonly [Moment, number])[] => {
    const at = Date.parse(time);
    const before = new Date(at - 1).toISOString();
    return [
      [{ revision }, revision + 1],
      [{ asOf: time }, countUntil(history, at)],
      [{ asOf: before }, countUntil(history, at - 1)],
    ];
  }),
  [{}, history.steps.length],
  [{ revision: history.steps.length }, 0],
];

/** Proves contract 35.12. */
describe('the state at a moment', () => {
  it(`equals the state of a model at every boundary of ${HISTORIES} random histories`, async () => {
    const random = createRandom(SEED);
    const log = openLog();
    let compared = 0;
    for (let number = 0; number < HISTORIES; number++) {
      const history = randomHistory(random, number);
      await log.append(history);
      if (history.isErased) await log.erase(`${history.category}:${history.id}`);
      for (const [moment, count] of momentsOf(history)) {
        const state = await log.stateAt(history, moment);
        const expected = expectedAfter(history, count);
        if (!isDeepStrictEqual(state, expected))
          expect([SEED, number, history, moment, state]).toEqual([SEED, number, history, moment, expected]);
        compared++;
      }
      log.forget();
    }
    expect(compared).toBeGreaterThan(HISTORIES * 10);
  });
});
