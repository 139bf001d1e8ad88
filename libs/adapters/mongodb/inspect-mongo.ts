import { clientOf, databaseIn } from './connection/connection.js';
import { withPortErrors } from './connection/failures.js';

/** What a database shows without being opened. */
export type InspectedMongo = {
  /** The time of its clock. */
  readonly time: Date;
  /** Whether it has the record of a store id. */
  readonly hasStore: boolean;
  /** Those of the asked checkpoints that it has. */
  readonly checkpoints: readonly string[];
};

/**
 * Looks at the database of a store, and writes nothing: `openMongo` creates what is missing. Rejects with StoreUnavailable if MongoDB is
 * unreachable.
 */
export const inspectMongo = async (
  { url, namespace }: { readonly url: string; readonly namespace?: string },
  checkpoints: readonly string[],
): Promise<InspectedMongo> => {
  const databaseName = databaseIn(url, namespace);
  const client = clientOf(url, `${databaseName} doctor`);
  const database = client.db(databaseName);
  try {
    return await withPortErrors(async () => {
      const { localTime } = await database.command({ hello: 1 });
      const store = await database.collection<{ readonly _id: string }>('store').findOne({ _id: 'id' });
      const found = await database
        .collection<{ readonly _id: string }>('readers')
        .find({ _id: { $in: [...checkpoints] } }, { projection: { _id: 1 } })
        .toArray();
      return { time: localTime as Date, hasStore: store !== null, checkpoints: found.map(({ _id }) => _id) };
    });
  } finally {
    await client.close();
  }
};
