import { describe, expect, it } from '@jest/globals';
import type { StoredDocument } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { changeSpread, readSpread, recordSpread, type SpreadDocuments } from '../../../../libs/runtime/relay/topic-spread.js';
import { advanceBy } from '../../../../libs/runtime/following/following.fixtures.js';
import { objectionTo, spreadTopics } from './spread-topics.js';

const spread = (partitions: Readonly<Record<string, number>>, requested: number | null = null) => ({
  partitions,
  requested,
  failure: null,
});

/** Stores one document. A write that expects another revision changes nothing. */
const documentsInMemory = (): SpreadDocuments => {
  let stored: StoredDocument | null = null;
  return {
    prepare: async () => undefined,
    get: async () => stored,
    apply: async ([write]) => {
      if (write?.kind !== 'put' || write.expected !== (stored?.revision ?? 'none')) return false;
      stored = write.document;
      return true;
    },
  };
};

/** Proves contract 22.7. */
describe('a move of keys to more partitions', () => {
  it.each([
    ['before a worker has recorded them', spread({}), 12, /no partitions are recorded yet: start a worker with the role relay/],
    ['while another move is in progress', spread({ pets: 6 }, 24), 12, /a move to 24 partitions is in progress/],
    [
      'to fewer partitions',
      spread({ pets: 6, orders: 12 }),
      8,
      /the keys of orders are spread over 12 partitions.*pass --partitions 12 or more/,
    ],
    ['to the number that they have', spread({ pets: 6, orders: 6 }), 6, /spread over 6 partitions already: nothing was changed/],
  ])('is rejected %s', (_, recorded, count, text) => expect(objectionTo(recorded, count)).toMatch(text));

  it('is possible if one topic has fewer', () => expect(objectionTo(spread({ pets: 1, orders: 6 }), 6)).toBeNull());

  it('ends with the result of the relay, or without a relay after two minutes', async () => {
    const documents = documentsInMemory();
    const clock = manualClock();
    await recordSpread(documents, { pets: 6 });
    const moved = spreadTopics(documents, 12, clock);
    await advanceBy(clock, 1_000);
    expect(await readSpread(documents)).toEqual(spread({ pets: 6 }, 12));
    await changeSpread(documents, () => spread({ pets: 12 }));
    await advanceBy(clock, 1_000);
    expect(await moved).toEqual(['pets']);

    const failed = spreadTopics(documents, 24, clock).catch((error: unknown) => error);
    await advanceBy(clock, 1_000);
    await changeSpread(documents, (now) => ({ ...now, requested: null, failure: 'the brokers refuse' }));
    await advanceBy(clock, 1_000);
    expect(await failed).toMatchObject({ name: 'CommandError', message: 'the keys were not moved: the brokers refuse' });

    const unanswered = spreadTopics(documents, 24, clock).catch((error: unknown) => error);
    await advanceBy(clock, 121_000);
    expect(await unanswered).toMatchObject({
      name: 'CommandError',
      message: expect.stringMatching(/no relay has moved the keys within 120 s/),
    });
    expect(await readSpread(documents)).toEqual(spread({ pets: 12 }));
  });
});
