import { checkpointOf, type Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { PARKED_STREAMS } from '../../../../libs/runtime/projecting/parked-streams.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';

/** The maximum number of parked streams that are counted. A scrape of the metrics reads all that it counts. */
const MAX_COUNTED = 10_000;

/** Counts parked streams by the name of their reader: a read model or the relay. A read model without parked streams has 0. */
export const countByReader = (parked: readonly { readonly projection: string }[]): Readonly<Record<string, number>> => {
  const counts = new Map(projections.map(({ collection }) => [checkpointOf(collection), 0]));
  for (const { projection } of parked) counts.set(projection, (counts.get(projection) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/** Returns a function that counts the parked streams of the distributed profile with one query. */
export const countStoredParkedStreams = (documents: Pick<Documents, 'prepare' | 'texts'>) => {
  let prepared: Promise<void> | null = null;
  return async (): Promise<Readonly<Record<string, number>>> => {
    // Creates the collection, which does not exist before the first worker runs. After a failure, the next call retries.
    await (prepared ??= documents.prepare(PARKED_STREAMS).catch((error: unknown) => {
      prepared = null;
      throw error;
    }));
    const texts = await documents.texts(PARKED_STREAMS, { where: {}, sort: ['projection', 'stream'], limit: MAX_COUNTED, offset: 0 });
    const parked = texts.map((text) => JSON.parse(text) as { readonly projection: string });
    return { [RELAY]: 0, ...countByReader(parked) };
  };
};
