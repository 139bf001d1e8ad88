import type { KeyLookup } from '../../eventsourcing/ports/key-vault.port.js';
import { tryToOpen } from './sealing.js';

/** A service key that every store has: since the first release, each start creates it if it is missing. */
const REQUIRED_KEY = 'idempotency';

/**
 * Returns whether keys belong to a log with events. `sealed` yields the JSON of each event with sealed values, in order. The keys
 * belong to the log if REQUIRED_KEY exists, and they decrypt the first event whose values are not all erased. Without such an
 * event, REQUIRED_KEY is enough.
 */
export const doKeysMatchLog = async (keys: KeyLookup, sealed: Iterable<string> | AsyncIterable<string>): Promise<boolean> => {
  if (!(await keys.lookUp('service', REQUIRED_KEY))) return false;
  for await (const json of sealed) {
    const opening = await tryToOpen(keys, json);
    if (opening !== 'erased') return opening === 'opens';
  }
  return true;
};
