import { describe, expect, it } from '@jest/globals';
import type { Checkpoint } from '../../eventsourcing/ports/documents.port.js';
import { createTestLog } from './following.fixtures.js';
import { findLostEvents } from './lost-events.js';

/** Proves contract 24.9. */
describe('a log', () => {
  const given = (checkpoints: readonly Checkpoint[]): Promise<string | null> => {
    const { store, add, head } = createTestLog();
    add('pet-1', 'pet-1', 'order-1');
    return findLostEvents({ log: { readStream: store.readStream, lastPosition: head }, checkpoints: async () => checkpoints });
  };
  const revised = { stream: 'pet-1', revision: 1, id: 'event-2' };

  it('without readers lacks no events', async () => expect(await given([])).toBeNull());

  it('lacks no events if it reaches all checkpoints', async () =>
    expect(
      await given([
        { name: 'pets_v1', position: 2, event: revised },
        { name: 'relay', position: 3 },
      ]),
    ).toBeNull());

  it('lacks the events between its end and a checkpoint', async () =>
    expect(
      await given([
        { name: 'pets_v1', position: 2, event: revised },
        { name: 'relay', position: 4 },
      ]),
    ).toBe('the log ends at position 3, but the reader relay has handled events up to position 4'));

  it.each([
    { what: 'another id', event: { ...revised, id: 'lost' } },
    { what: 'another position', event: { stream: 'pet-1', revision: 0, id: 'event-1' } },
    { what: 'no event', event: { stream: 'pet-2', revision: 0, id: 'event-2' } },
  ])('lacks an event in whose place it has another: $what', async ({ event }) =>
    expect(await given([{ name: 'pets_v1', position: 2, event }])).toMatch(
      /^the log does not have the event .* at position 2, which the reader pets_v1/,
    ),
  );
});
