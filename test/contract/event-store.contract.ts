import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppendResult, EncodedEvent, EventBatch, EventStore, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';

/** A store, and a function that closes it. */
export type EventStoreUnderTest = { readonly store: EventStore; readonly close: () => Promise<void> };

let eventCount = 0;

/** An encoded event with a new id. */
export const encodedEvent = (type = 'Happened', data: unknown = {}, metadata: object = { tenant: 'shared' }): EncodedEvent => ({
  id: `00000000-0000-7000-8000-${(++eventCount).toString(16).padStart(12, '0')}`,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

const newEvents = (count: number): readonly EncodedEvent[] =>
  Array.from({ length: count }, (_, index) => encodedEvent('Happened', { index }));
const expectAppended = (result: AppendResult): Extract<AppendResult, { kind: 'appended' }> => {
  if (result.kind !== 'appended') throw new Error(`conflict: the stream is at ${result.actual}`);
  return result;
};
const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);

/**
 * The contract of EventStore. It proves contract 23.2. The tests that append the same events again prove contract 24.8.
 */
export const eventStoreContract = (name: string, make: () => Promise<EventStoreUnderTest>): void => {
  describe(`${name} as an event store`, () => {
    let store: EventStore;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ store, close } = await make()));
    afterEach(() => close());

    const readEverything = async (): Promise<readonly StoredEvent[]> => {
      const all: StoredEvent[] = [];
      for (let page = await store.readAll(0, 500); page.length > 0; page = await store.readAll(all.at(-1)?.position ?? 0, 500))
        all.push(...page);
      return all;
    };

    describe('appending', () => {
      it('creates a stream', async () => {
        const event = encodedEvent('Begun', { answer: 42 });
        const { revision, position } = expectAppended(await store.append('thing-1', 'none', [event]));
        expect(revision).toBe(0);
        expect(await store.readStream('thing-1')).toEqual([{ ...event, stream: 'thing-1', revision: 0, position }]);
      });

      it('appends after the expected revision', async () => {
        await store.append('thing-1', 'none', newEvents(2));
        expect(expectAppended(await store.append('thing-1', 1, newEvents(1))).revision).toBe(2);
      });

      it('writes nothing for a wrong revision, and returns the actual one', async () => {
        await store.append('thing-1', 'none', newEvents(2));
        expect(await store.append('thing-1', 0, newEvents(1))).toEqual({ kind: 'conflict', actual: 1 });
        expect(await store.append('thing-1', 7, newEvents(1))).toEqual({ kind: 'conflict', actual: 1 });
        expect(await store.append('thing-2', 0, newEvents(1))).toEqual({ kind: 'conflict', actual: 'none' });
        expect(await readEverything()).toHaveLength(2);
      });

      it('rejects the creation of an existing stream', async () => {
        await store.append('thing-1', 'none', newEvents(1));
        expect(await store.append('thing-1', 'none', newEvents(1))).toEqual({ kind: 'conflict', actual: 0 });
      });

      it('returns the first result for the same events at the same revision, even after later events', async () => {
        const [first, second] = [newEvents(1), newEvents(3)];
        const firstResult = await store.append('thing-1', 'none', first);
        expect(await store.append('thing-1', 'none', first)).toEqual(firstResult);
        const secondResult = await store.append('thing-1', 0, second);
        await store.append('thing-1', 3, newEvents(1));
        expect(await store.append('thing-1', 'none', first)).toEqual(firstResult);
        expect(await store.append('thing-1', 0, second)).toEqual(secondResult);
        expect(await readEverything()).toHaveLength(5);
      });

      it('returns the same result for concurrent appends of the same events', async () => {
        const events = newEvents(2);
        const results = await Promise.all([store.append('thing-1', 'none', events), store.append('thing-1', 'none', events)]);
        expect(results[0]).toEqual(results[1]);
        expect(await readEverything()).toHaveLength(2);
      });

      it('rejects events that are only partly stored', async () => {
        const [first, second] = [encodedEvent(), encodedEvent()];
        await store.append('thing-1', 'none', [first, second]);
        expect(await store.append('thing-1', 'none', [first, encodedEvent()])).toEqual({ kind: 'conflict', actual: 1 });
        expect(await store.append('thing-1', 'none', [first, second, encodedEvent()])).toEqual({ kind: 'conflict', actual: 1 });
      });

      it('writes all events of an append or none', async () => {
        await store.append('thing-1', 'none', newEvents(1));
        await store.append('thing-1', 'none', newEvents(5));
        expect(await store.readStream('thing-1')).toHaveLength(1);
        const events = newEvents(5);
        await store.append('thing-1', 0, events);
        expect(idsOf(await store.readStream('thing-1', 1))).toEqual(idsOf(events));
      });

      it('lets exactly one of 64 writers win each revision of a stream', async () => {
        const wins = await Promise.all(
          Array.from({ length: 64 }, async () => {
            for (let tries = 1, expected: number | 'none' = 'none'; ; tries++) {
              const result: AppendResult = await store.append('thing-1', expected, [encodedEvent()]);
              if (result.kind === 'appended') return result.revision;
              expected = result.actual;
              if (tries > 64) throw new Error('a writer lost more often than there are other writers');
            }
          }),
        );
        expect(wins.sort((one, other) => one - other)).toEqual(Array.from({ length: 64 }, (_, index) => index));
        expect(await store.readStream('thing-1')).toHaveLength(64);
      });

      it('lets 64 writers write their own streams concurrently', async () => {
        await Promise.all(
          Array.from({ length: 64 }, async (_, writer) => {
            for (let revision = 0; revision < 20; revision++)
              expectAppended(
                await store.append(`thing-${writer}`, revision === 0 ? 'none' : revision - 1, [encodedEvent('Written', { revision })]),
              );
          }),
        );
        const all = await readEverything();
        expect(all).toHaveLength(64 * 20);
        for (let writer = 0; writer < 64; writer++) {
          const own = all.filter(({ stream }) => stream === `thing-${writer}`);
          expect(own.map(({ revision }) => revision)).toEqual(Array.from({ length: 20 }, (_, index) => index));
        }
      });
    });

    describe('reading', () => {
      it('returns nothing for a missing stream or an empty log', async () => {
        expect(await store.readStream('thing-1')).toEqual([]);
        expect(await store.readAll(0, 10)).toEqual([]);
      });

      it('reads a stream from any revision, up to a limit', async () => {
        const events = newEvents(10);
        await store.append('thing-1', 'none', events);
        await store.append('thing-10', 'none', newEvents(3));
        expect(idsOf(await store.readStream('thing-1'))).toEqual(idsOf(events));
        expect(idsOf(await store.readStream('thing-1', 4))).toEqual(idsOf(events.slice(4)));
        expect(idsOf(await store.readStream('thing-1', 4, 3))).toEqual(idsOf(events.slice(4, 7)));
        expect(await store.readStream('thing-1', 10)).toEqual([]);
      });

      it('reads the log in order of growing positions, from any position, up to a limit', async () => {
        for (let index = 0; index < 5; index++) await store.append(`thing-${index}`, 'none', newEvents(2));
        const all = await readEverything();
        expect(all.map(({ stream }) => stream)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((index) => `thing-${index}`));
        expect(all.every(({ position }, index) => position > (all[index - 1]?.position ?? 0))).toBe(true);
        const third = all[2]?.position ?? 0;
        expect(await store.readAll(third, 4)).toEqual(all.slice(3, 7));
        expect(await store.readAll(all.at(-1)?.position ?? 0, 10)).toEqual([]);
        expect(await store.readAll(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      });

      it('preserves every character of names, types, data and metadata', async () => {
        const odd = 'Zażółć „gęślą” 🐈‍⬛ \u0000 \u202e مرحبا \\ " \' ; DROP TABLE events; -- \ud83d\ude00';
        const event = {
          id: encodedEvent().id,
          type: 'Gefüttert',
          data: JSON.stringify({ odd }),
          metadata: `{ "b":1,\n"a" :"${'é'.normalize('NFD')}"}`,
        };
        await store.append('katze-łódź', 'none', [event]);
        expect(await store.readStream('katze-łódź')).toMatchObject([event]);
      });

      it('stores streams of thousands of events', async () => {
        for (let start = 0; start < 5_000; start += 500) await store.append('thing-1', start === 0 ? 'none' : start - 1, newEvents(500));
        const events = await store.readStream('thing-1');
        expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
      });

      it('stores large events', async () => {
        const event = encodedEvent('Big', 'x'.repeat(1_000_000));
        await store.append('thing-1', 'none', [event]);
        expect((await store.readStream('thing-1'))[0]?.data).toBe(event.data);
      });
    });

    describe('a subscription', () => {
      const abort = new Map<AbortController, Promise<void>>();
      afterEach(async () => {
        for (const [controller, ended] of abort) {
          controller.abort();
          await ended;
        }
        abort.clear();
      });

      /** Subscribes and collects the batches. `until` resolves when the batches so far satisfy a condition. */
      const subscribe = (
        after: number,
      ): { batches: EventBatch[]; until: (condition: (batches: readonly EventBatch[]) => boolean) => Promise<void> } => {
        const batches: EventBatch[] = [];
        const checks = new Set<() => void>();
        const controller = new AbortController();
        const run = async (): Promise<void> => {
          for await (const batch of store.subscribe(after, controller.signal)) {
            batches.push(batch);
            for (const check of [...checks]) check();
          }
        };
        abort.set(controller, run());
        const until = (condition: (seen: readonly EventBatch[]) => boolean): Promise<void> =>
          new Promise((resolve) => {
            const check = (): void => {
              if (!condition(batches)) return;
              checks.delete(check);
              resolve();
            };
            checks.add(check);
            check();
          });
        return { batches, until };
      };
      const eventsOf = (batches: readonly EventBatch[]): readonly StoredEvent[] => batches.flatMap(({ events }) => events);

      it('reports caughtUp immediately for an empty log', async () => {
        const { batches, until } = subscribe(0);
        await until(({ length }) => length > 0);
        expect(batches).toEqual([{ events: [], caughtUp: true }]);
      });

      it('returns stored events, reports caughtUp, and continues with new events', async () => {
        await store.append('thing-1', 'none', newEvents(3));
        const { batches, until } = subscribe(0);
        await until((seen) => seen.some(({ caughtUp }) => caughtUp));
        expect(eventsOf(batches)).toHaveLength(3);
        await store.append('thing-1', 2, newEvents(2));
        await until((seen) => eventsOf(seen).length === 5);
        expect(eventsOf(batches).map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
        expect(batches.at(-1)?.caughtUp).toBe(true);
      });

      it('resumes after a position', async () => {
        await store.append('thing-1', 'none', newEvents(4));
        const all = await readEverything();
        const { batches, until } = subscribe(all[1]?.position ?? 0);
        await until((seen) => seen.some(({ caughtUp }) => caughtUp));
        expect(eventsOf(batches)).toEqual(all.slice(2));
      });

      it('skips no event and keeps the order during concurrent writes', async () => {
        const { batches, until } = subscribe(0);
        const write = async (writer: number): Promise<void> => {
          for (let revision = 0; revision < 50; revision++)
            await store.append(`thing-${writer}`, revision === 0 ? 'none' : revision - 1, newEvents(1));
        };
        await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)));
        await until((seen) => eventsOf(seen).length >= 500);
        expect(eventsOf(batches)).toEqual(await readEverything());
      });

      it('returns a long log in several batches, and reports caughtUp only at the end', async () => {
        for (let start = 0; start < 3_000; start += 1_000)
          await store.append('thing-1', start === 0 ? 'none' : start - 1, newEvents(1_000));
        const { batches, until } = subscribe(0);
        await until((seen) => seen.some(({ caughtUp }) => caughtUp));
        expect(eventsOf(batches)).toHaveLength(3_000);
        expect(batches.slice(0, -1).some(({ caughtUp }) => caughtUp)).toBe(false);
      });

      it('ends when its signal aborts, also while it waits', async () => {
        const controller = new AbortController();
        const seen: EventBatch[] = [];
        const reading = (async () => {
          for await (const batch of store.subscribe(0, controller.signal)) {
            seen.push(batch);
            setImmediate(() => controller.abort());
          }
        })();
        await reading;
        expect(seen).toEqual([{ events: [], caughtUp: true }]);
      });
    });
  });
};
