import { expect } from '@jest/globals';
import { expectInvariant } from '../expect-invariant.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { snapshotOf } from '../servers/snapshot.js';
import { differencesFromReplay, logViolations } from './replay.js';
import type { RequestRecorder } from './request-recorder.js';

/** Returns the names of all pets that were ever created. */
export const listedNames = (events: readonly StoredEvent[]): readonly string[] =>
  events.flatMap(({ type, data }) => (type === 'PetListed' ? [(JSON.parse(data) as { details: { name: string } }).details.name] : []));

/** Expects that the log contains every acknowledged change and no unanswered pet creation. Call it after a graceful stop. */
export const expectLogMatchesResponses = (dataDir: string, recorder: RequestRecorder): void => {
  const snapshot = snapshotOf(dataDir);
  expect(recorder.unexpectedResponses()).toEqual([]);
  expectInvariant('the log is valid', logViolations(snapshot.events));
  expectInvariant('the log matches the responses', recorder.contradictions(snapshot.events));
  // A service that stops gracefully answers every request that it has accepted.
  const names = new Set(listedNames(snapshot.events));
  expect(recorder.unanswered().filter(({ request }) => request.event === 'PetListed' && names.has(request.marker))).toEqual([]);
  expectInvariant('the read models equal a replay', differencesFromReplay(snapshot));
};
