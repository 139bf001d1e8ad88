import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PETS, SECURITY_OF_DAY } from '../../../../libs/application/aggregates.js';
import { commandContext } from '../../../../libs/application/request.js';
import type { PetId } from '../../../../libs/domain/ids.js';
import { SHARED_POOL } from '../../../../libs/eventsourcing/message.js';
import { Aggregates } from '../../../../libs/eventsourcing/aggregates.js';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { recordedTimeOf } from '../../../../libs/runtime/codec/monotonic-clock.js';
import { createLog } from '../../logging/log.js';
import { openEmbeddedStore, type EmbeddedStore } from './embedded.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { override } from '../../../../libs/eventsourcing/testing/override.js';

const CONTEXT = commandContext({ tenant: SHARED_POOL, actor: 'anna', requestId: 'r' });
const HOUR = 3_600_000;
const EVENTS = 200;

/** A clock that advances by a minute at each read. Every seventh read sets it back by four minutes instead. */
const erraticClock = () => {
  const clock = manualClock();
  let reads = 0;
  const now = (): Date => {
    clock.set(clock.now().getTime() + (++reads % 7 === 0 ? -4 : 1) * 60_000);
    return clock.now();
  };
  return override<Clock>(clock, { now });
};

const createAppender = (store: EmbeddedStore) => {
  const aggregates = new Aggregates(store.store, store.codec);
  return {
    listPet: (): Promise<unknown> => {
      const petId = store.ids.next() as PetId;
      const details = { name: 'Rex', species: 'DOG', ageMonths: 3 } as const;
      return aggregates.handle(PETS, petId, { type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } }, CONTEXT);
    },
    /** Encrypts personal values, which takes several turns of the event loop. Other appends run in between. */
    recordSecurityEvent: (day: string): Promise<unknown> => {
      const data = { kind: 'sign-in', operation: 'createAuthToken', actor: 'anna', address: '127.0.0.1' } as const;
      return aggregates.handle(SECURITY_OF_DAY, day, { type: 'SecurityEventRecorded', data }, CONTEXT);
    },
  };
};

const timesOf = async ({ store }: EmbeddedStore): Promise<readonly number[]> =>
  (await store.readAll(0, 10_000)).map((event) => recordedTimeOf(event)?.getTime() ?? NaN);

/** Proves contract 23.2. */
describe('the times of events', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-times-'));
  let store: EmbeddedStore;
  afterEach(() => store.close());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('never decrease in the order of positions, even if the clock goes back while events are encrypted', async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), clock: erraticClock() });
    const { listPet, recordSecurityEvent } = createAppender(store);
    await Promise.all(Array.from({ length: EVENTS }, (_, n) => (n % 2 === 0 ? recordSecurityEvent(`2026-01-${n}`) : listPet())));
    const times = await timesOf(store);
    expect(times).toHaveLength(EVENTS);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('stay at the time of the last event if the clock was set back before a restart', async () => {
    const clock = manualClock();
    for (const change of [0, -HOUR]) {
      clock.set(clock.now().getTime() + change);
      store = await openEmbeddedStore({ directory: folder, log: createLog('silent'), clock });
      await createAppender(store).listPet();
      if (change === 0) await store.close();
    }
    const [before, after] = await timesOf(store);
    expect(after).toBe(before);
  });
});
