import type { KeyLookup } from '../../eventsourcing/ports/key-vault.port.js';
import { tryToOpen } from './sealing.js';

/** The service key that every start has made since the first release. */
const ALWAYS_THERE = 'idempotency';

/**
 * Whether keys are those of a log that holds events: they open the first sealed value that is not erased. Nothing else in a
 * log can be opened, so where nothing is sealed, a service key must be there that every start makes.
 */
export const areKeysOf = async (keys: KeyLookup, sealed: Iterable<string> | AsyncIterable<string>): Promise<boolean> => {
  if (!(await keys.lookUp('service', ALWAYS_THERE))) return false;
  for await (const json of sealed) {
    const opening = await tryToOpen(keys, json);
    if (opening !== 'erased') return opening === 'opens';
  }
  return true;
};
