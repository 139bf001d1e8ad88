import { describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { Appends, type AppendDependencies } from './appends.js';

const STREAM = 'pet-1';
const ours = { id: 'ours', type: 'PetRetired', metadata: '{}', data: '{}' };

/**
 * Appends `ours` after revision 0. The connection fails before the response arrives. The first read of the stream does not
 * return the appended event yet. Later reads return it, with the id `written`.
 */
const appendWith = async (written: string): Promise<unknown> => {
  const first = { stream: STREAM, revision: 0, position: 1, ...ours, id: 'first' } as StoredEvent;
  const second = { ...first, revision: 1, position: 2, id: written };
  let stored: readonly StoredEvent[] = [first];
  const read = (): readonly StoredEvent[] => {
    const found = stored;
    stored = [first, second];
    return found;
  };
  const dependencies = {
    connection: { append: () => Promise.reject(new Error('the connection was closed')) },
    reads: {
      lastOf: async () => read().at(-1),
      stream: async (_: string, from: number, limit: number) => read().slice(from, from + limit),
    },
    own: { prefix: '' },
    clock: manualClock(),
    log: { warn: () => undefined },
  } as unknown as AppendDependencies;
  return new Appends(dependencies).append({ stream: STREAM, expected: 0, events: [ours] });
};

/** Proves contract 24.8. */
describe('an append whose response is lost', () => {
  it('is found if it is written while the stream is read', async () =>
    expect(await appendWith('ours')).toEqual({ kind: 'appended', revision: 1, position: 2 }));
});
