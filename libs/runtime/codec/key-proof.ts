import type { KeyLookup } from '../../eventsourcing/ports/key-vault.port.js';
import { tryToOpen } from './sealing.js';

/** A service key that every start has created since the first release. */
const REQUIRED_KEY = 'idempotency';

/**
 * Returns whether keys belong to a log with events: they open the first sealed value that is not erased. If
 * nothing is sealed, the service key must exist that every start creates.
 */
export const areKeysOf = async (keys: KeyLookup, sealed: Iterable<string> | AsyncIterable<string>): Promise<boolean> => {
  if (!(await keys.lookUp('service', REQUIRED_KEY))) return false;
  for await (const json of sealed) {
    const opening = await tryToOpen(keys, json);
    if (opening !== 'erased') return opening === 'opens';
  }
  return true;
};
