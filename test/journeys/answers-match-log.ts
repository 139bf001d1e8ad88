import { expect } from '@jest/globals';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { snapshotOf } from '../servers/snapshot.js';
import { differencesFromReplay, faultsIn } from './replay.js';
import type { Witness } from './request-recorder.js';

/** The names of all pets that were ever listed. */
export const listedNames = (events: readonly StoredEvent[]): readonly string[] =>
  events.flatMap(({ type, data }) => (type === 'PetListed' ? [(JSON.parse(data) as { details: { name: string } }).details.name] : []));

/** After a stop in good order: what callers were told was done, and nothing was done that nobody was told. */
export const expectToldAndDone = (dataDir: string, witness: Witness): void => {
  const snapshot = snapshotOf(dataDir);
  expect(witness.surprises()).toEqual([]);
  expect(faultsIn(snapshot.events)).toEqual([]);
  expect(witness.contradictions(snapshot.events)).toEqual([]);
  // Whoever got no answer was not accepted: nothing of theirs was done behind their back.
  const names = new Set(listedNames(snapshot.events));
  expect(witness.unanswered().filter(({ deed }) => deed.event === 'PetListed' && names.has(deed.mark))).toEqual([]);
  expect(differencesFromReplay(snapshot)).toEqual([]);
};
