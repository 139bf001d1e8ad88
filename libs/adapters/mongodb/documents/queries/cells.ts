import type { Db } from 'mongodb';
import type { Collection, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { filterOf } from './conditions.js';
import { cellIndexOf, pathOf, placesOf, type KeptCell } from '../declared.js';
import type { Hints } from './hints.js';
import type { KnownVersion } from '../versions/reader-records.js';

/** The cells of a version that serves a collection. */
export type Cells = { readonly database: Db; readonly hints: Hints; readonly collection: Collection; readonly version: KnownVersion };

/** Adds up the cells that match, by their index alone; grouped by the field `by` where one is given. */
export const addUp = async (
  { database, hints, collection, version }: Cells,
  where: Where,
  by: string | undefined,
): Promise<Readonly<Record<string, number>>> => {
  const filter = filterOf(collection.cells, where, 'cells');
  const { declared, generation } = version;
  const cells = database.collection<KeptCell>(placesOf(declared, generation).cells);
  const group = { _id: by === undefined ? '' : `$${pathOf(by)}`, amount: { $sum: '$amount' } };
  const sums = await hints.following(cells, cellIndexOf(declared), (hint) =>
    cells.aggregate<{ _id: unknown; amount: number }>([{ $match: filter }, { $group: group }], hint).toArray(),
  );
  return { ...(by === undefined && { '': 0 }), ...Object.fromEntries(sums.map(({ _id, amount }) => [String(_id), amount])) };
};
