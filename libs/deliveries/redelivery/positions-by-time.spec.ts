import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { positionBefore } from './positions-by-time.js';

const timeAt = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

/**
 * A log with an event at each of these positions. Each event is recorded a minute after the previous one. `reads` counts the
 * calls of `readAll`.
 */
const logOf = (positions: readonly number[]) => {
  const events = positions.map((position, minute) => ({ position, metadata: timeAt(minute) }) as StoredEvent);
  const log = {
    reads: 0,
    store: {
      readAll: (after: number, limit: number) => {
        log.reads++;
        return Promise.resolve(events.filter(({ position }) => position > after).slice(0, limit));
      },
    },
    codec: { decode: ({ position, metadata }: StoredEvent) => ({ position, meta: { time: metadata } }) as RecordedEvent },
  };
  return log;
};

describe('the position before a time', () => {
  const withoutGaps = Array.from({ length: 100 }, (_, index) => index + 1);
  const withGaps = withoutGaps.map((position) => position * 1_000_003);

  it.each([
    ['without gaps', withoutGaps],
    ['with gaps', withGaps],
  ])('in a log %s is just before the first event at or after that time', async (_, positions) => {
    const { store, codec } = logOf(positions);
    for (let minute = 0; minute <= 100; minute++) {
      const [next] = await store.readAll(await positionBefore({ store, codec }, timeAt(minute)), 1);
      expect(next?.position).toBe(positions[minute]);
    }
  });

  it('is the beginning of an empty log, and of a log that starts later', async () => {
    expect(await positionBefore(logOf([]), timeAt(5))).toBe(0);
    expect(await positionBefore(logOf(withoutGaps), timeAt(-5))).toBe(0);
  });

  it('is found in few reads in a log with large gaps', async () => {
    const log = logOf(withGaps);
    await positionBefore(log, timeAt(50));
    expect(log.reads).toBeLessThan(60);
  });
});
