import type { Db } from 'mongodb';
import type { Collection, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { filterOf } from './conditions.js';
import { cellIndexOf, pathOf, namesOfVersion, type CellRecord } from '../declaration.js';
import type { Hints } from './hints.js';
import type { VersionDocument } from '../versions/reader-records.js';

/** The cells to sum: those of `version`, which may be an older version of `collection`. */
export type Cells = { readonly database: Db; readonly hints: Hints; readonly collection: Collection; readonly version: VersionDocument };

/**
 * Returns the sums of the matching cells by the value of the field `by`. Without `by`, it returns one sum with the key ''.
 * Reads only the index.
 */
export const sumCells = async (
  { database, hints, collection, version }: Cells,
  where: Where,
  by: string | undefined,
): Promise<Readonly<Record<string, number>>> => {
  const filter = filterOf(collection.cells, where, 'cells');
  const { declared } = version;
  const cells = database.collection<CellRecord>(namesOfVersion(version).cells);
  const group = { _id: by === undefined ? '' : `$${pathOf(by)}`, amount: { $sum: '$amount' } };
  const sums = await hints.withHint(cells, cellIndexOf(declared), (hint) =>
    cells.aggregate<{ _id: unknown; amount: number }>([{ $match: filter }, { $group: group }], hint).toArray(),
  );
  // If no cell matches, MongoDB returns no group. The one sum is then 0.
  return { ...(by === undefined && { '': 0 }), ...Object.fromEntries(sums.map(({ _id, amount }) => [String(_id), amount])) };
};
