import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppendResult, EncodedEvent, EventBatch, EventStore, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';

/** A store, and how to be rid of it. */
export type EventStoreUnderTest = { readonly store: EventStore; readonly close: () => Promise<void> };

let made = 0;

/** An event as a codec would hand it over; each with an id of its own. */
export const encodedEvent = (type = 'Happened', data: unknown = {}, metadata: object = { tenant: 'shared' }): EncodedEvent => ({
  id: `00000000-0000-7000-8000-${(++made).toString(16).padStart(12, '0')}`,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

const several = (count: number): readonly EncodedEvent[] =>
  Array.from({ length: count }, (_, index) => encodedEvent('Happened', { index }));
const appended = (result: AppendResult): Extract<AppendResult, { kind: 'appended' }> => {
  if (result.kind !== 'appended') throw new Error(`conflict: the stream is at ${result.actual}`);
  return result;
};
const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);

/** What every EventStore promises. */
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
      it('begins a stream that does not exist', async () => {
        const event = encodedEvent('Begun', { answer: 42 });
        const { revision, position } = appended(await store.append('thing-1', 'none', [event]));
        expect(revision).toBe(0);
        expect(await store.readStream('thing-1')).toEqual([{ ...event, stream: 'thing-1', revision: 0, position }]);
      });

      it('goes on after the expected revision', async () => {
        await store.append('thing-1', 'none', several(2));
        expect(appended(await store.append('thing-1', 1, several(1))).revision).toBe(2);
      });

      it('writes nothing after a wrong revision, and says the actual one', async () => {
        await store.append('thing-1', 'none', several(2));
        expect(await store.append('thing-1', 0, several(1))).toEqual({ kind: 'conflict', actual: 1 });
        expect(await store.append('thing-1', 7, several(1))).toEqual({ kind: 'conflict', actual: 1 });
        expect(await store.append('thing-2', 0, several(1))).toEqual({ kind: 'conflict', actual: 'none' });
        expect(await readEverything()).toHaveLength(2);
      });

      it('refuses to begin a stream that exists', async () => {
        await store.append('thing-1', 'none', several(1));
        expect(await store.append('thing-1', 'none', several(1))).toEqual({ kind: 'conflict', actual: 0 });
      });

      it('answers the same events at the same place as the first time, also once others follow', async () => {
        const [first, second] = [several(1), several(3)];
        const firstAnswer = await store.append('thing-1', 'none', first);
        expect(await store.append('thing-1', 'none', first)).toEqual(firstAnswer);
        const secondAnswer = await store.append('thing-1', 0, second);
        await store.append('thing-1', 3, several(1));
        expect(await store.append('thing-1', 'none', first)).toEqual(firstAnswer);
        expect(await store.append('thing-1', 0, second)).toEqual(secondAnswer);
        expect(await readEverything()).toHaveLength(5);
      });

      it('answers the same events as the first time when both appends are under way at once', async () => {
        const events = several(2);
        const answers = await Promise.all([store.append('thing-1', 'none', events), store.append('thing-1', 'none', events)]);
        expect(answers[0]).toEqual(answers[1]);
        expect(await readEverything()).toHaveLength(2);
      });

      it('refuses events that are there only in part', async () => {
        const [there, beside] = [encodedEvent(), encodedEvent()];
        await store.append('thing-1', 'none', [there, beside]);
        expect(await store.append('thing-1', 'none', [there, encodedEvent()])).toEqual({ kind: 'conflict', actual: 1 });
        expect(await store.append('thing-1', 'none', [there, beside, encodedEvent()])).toEqual({ kind: 'conflict', actual: 1 });
      });

      it('writes all events of one append or none', async () => {
        await store.append('thing-1', 'none', several(1));
        await store.append('thing-1', 'none', several(5));
        expect(await store.readStream('thing-1')).toHaveLength(1);
        const events = several(5);
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
              if (tries > 64) throw new Error('a writer lost more often than there are others');
            }
          }),
        );
        expect(wins.sort((one, other) => one - other)).toEqual(Array.from({ length: 64 }, (_, index) => index));
        expect(await store.readStream('thing-1')).toHaveLength(64);
      });

      it('lets 64 writers write their own streams side by side', async () => {
        await Promise.all(
          Array.from({ length: 64 }, async (_, writer) => {
            for (let revision = 0; revision < 20; revision++)
              appended(
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
      it('finds nothing in a stream that does not exist, nor in an empty log', async () => {
        expect(await store.readStream('thing-1')).toEqual([]);
        expect(await store.readAll(0, 10)).toEqual([]);
      });

      it('reads a stream from anywhere, as far as is asked', async () => {
        const events = several(10);
        await store.append('thing-1', 'none', events);
        await store.append('thing-10', 'none', several(3));
        expect(idsOf(await store.readStream('thing-1'))).toEqual(idsOf(events));
        expect(idsOf(await store.readStream('thing-1', 4))).toEqual(idsOf(events.slice(4)));
        expect(idsOf(await store.readStream('thing-1', 4, 3))).toEqual(idsOf(events.slice(4, 7)));
        expect(await store.readStream('thing-1', 10)).toEqual([]);
      });

      it('reads the log in the order of its positions, which only grow, from anywhere, as far as is asked', async () => {
        for (let index = 0; index < 5; index++) await store.append(`thing-${index}`, 'none', several(2));
        const all = await readEverything();
        expect(all.map(({ stream }) => stream)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((index) => `thing-${index}`));
        expect(all.every(({ position }, index) => position > (all[index - 1]?.position ?? 0))).toBe(true);
        const third = all[2]?.position ?? 0;
        expect(await store.readAll(third, 4)).toEqual(all.slice(3, 7));
        expect(await store.readAll(all.at(-1)?.position ?? 0, 10)).toEqual([]);
        expect(await store.readAll(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      });

      it('gives back every character of names, types, data and metadata', async () => {
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

      it('keeps streams of thousands of events', async () => {
        for (let start = 0; start < 5_000; start += 500) await store.append('thing-1', start === 0 ? 'none' : start - 1, several(500));
        const events = await store.readStream('thing-1');
        expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
      });

      it('keeps big events', async () => {
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

      /** Collects batches; `until` resolves once they satisfy a condition. */
      const follow = (
        after: number,
      ): { batches: EventBatch[]; until: (condition: (batches: readonly EventBatch[]) => boolean) => Promise<void> } => {
        const batches: EventBatch[] = [];
        const looks = new Set<() => void>();
        const controller = new AbortController();
        const run = async (): Promise<void> => {
          for await (const batch of store.subscribe(after, controller.signal)) {
            batches.push(batch);
            for (const look of [...looks]) look();
          }
        };
        abort.set(controller, run());
        const until = (condition: (seen: readonly EventBatch[]) => boolean): Promise<void> =>
          new Promise((resolve) => {
            const look = (): void => {
              if (!condition(batches)) return;
              looks.delete(look);
              resolve();
            };
            looks.add(look);
            look();
          });
        return { batches, until };
      };
      const eventsOf = (batches: readonly EventBatch[]): readonly StoredEvent[] => batches.flatMap(({ events }) => events);

      it('says at once that an empty log is read', async () => {
        const { batches, until } = follow(0);
        await until(({ length }) => length > 0);
        expect(batches).toEqual([{ events: [], caughtUp: true }]);
      });

      it('gives what was there, says when that is all, and goes on with what comes', async () => {
        await store.append('thing-1', 'none', several(3));
        const { batches, until } = follow(0);
        await until((seen) => seen.some(({ caughtUp }) => caughtUp));
        expect(eventsOf(batches)).toHaveLength(3);
        await store.append('thing-1', 2, several(2));
        await until((seen) => eventsOf(seen).length === 5);
        expect(eventsOf(batches).map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
        expect(batches.at(-1)?.caughtUp).toBe(true);
      });

      it('resumes after a position', async () => {
        await store.append('thing-1', 'none', several(4));
        const all = await readEverything();
        const { batches, until } = follow(all[1]?.position ?? 0);
        await until((seen) => seen.some(({ caughtUp }) => caughtUp));
        expect(eventsOf(batches)).toEqual(all.slice(2));
      });

      it('skips nothing and keeps the order while others write', async () => {
        const { batches, until } = follow(0);
        const write = async (writer: number): Promise<void> => {
          for (let revision = 0; revision < 50; revision++)
            await store.append(`thing-${writer}`, revision === 0 ? 'none' : revision - 1, several(1));
        };
        await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)));
        await until((seen) => eventsOf(seen).length >= 500);
        expect(eventsOf(batches)).toEqual(await readEverything());
      });

      it('gives a log longer than a batch in several, and says only at the end that it is read', async () => {
        for (let start = 0; start < 3_000; start += 1_000) await store.append('thing-1', start === 0 ? 'none' : start - 1, several(1_000));
        const { batches, until } = follow(0);
        await until((seen) => seen.some(({ caughtUp }) => caughtUp));
        expect(eventsOf(batches)).toHaveLength(3_000);
        expect(batches.slice(0, -1).some(({ caughtUp }) => caughtUp)).toBe(false);
      });

      it('ends when it is told to, also while it waits', async () => {
        const controller = new AbortController();
        const seen: EventBatch[] = [];
        const followed = (async () => {
          for await (const batch of store.subscribe(0, controller.signal)) {
            seen.push(batch);
            setImmediate(() => controller.abort());
          }
        })();
        await followed;
        expect(seen).toEqual([{ events: [], caughtUp: true }]);
      });
    });
  });
};
