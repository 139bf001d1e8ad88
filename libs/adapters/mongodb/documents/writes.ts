import type { AnyBulkWriteOperation } from 'mongodb';
import { checkpointOf, type Collection, type DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { cellFields, toRecord, type CellRecord, type DocumentRecord } from './declaration.js';

/**
 * The writes to one collection. `documents` and `cells` have at most one write for each document or cell, so the order of
 * these writes does not matter.
 */
export type CollectionWrites = {
  readonly collection: Collection;
  readonly documents: readonly AnyBulkWriteOperation<DocumentRecord>[];
  /** Writes that require a certain revision of the stored document, or that no document is stored under the key. */
  readonly expecting: readonly ExpectingWrite[];
  readonly cells: readonly AnyBulkWriteOperation<CellRecord>[];
  /** The ids of decremented cells. After the writes, decremented cells with the amount zero are deleted. */
  readonly decremented: readonly string[];
};

/** A document to write, and the revision that the stored document must have. `none`: it must not exist yet. */
export type ExpectingWrite = { readonly document: DocumentRecord; readonly expected: number | 'none' };

type Cell = { readonly f: CellRecord['f']; by: number };

/** Groups writes by collection. Throws if a write is invalid. */
export const groupByCollection = (writes: readonly DocumentWrite[]): readonly CollectionWrites[] => {
  const found = new Map<string, { readonly collection: Collection; readonly ofCollection: DocumentWrite[] }>();
  for (const write of writes) {
    const name = checkpointOf(write.collection);
    const others = found.get(name);
    if (others) others.ofCollection.push(write);
    else found.set(name, { collection: write.collection, ofCollection: [write] });
  }
  return [...found.values()].map(({ collection, ofCollection }) => writesOf(collection, ofCollection));
};

/** Merges the writes to one collection: keeps the last write of each document, and adds up the increments of each cell. */
const writesOf = (collection: Collection, writes: readonly DocumentWrite[]): CollectionWrites => {
  const documents = new Map<string, AnyBulkWriteOperation<DocumentRecord>>();
  const expecting: ExpectingWrite[] = [];
  const cells = new Map<string, Cell>();
  for (const write of writes) {
    switch (write.kind) {
      case 'put': {
        const { key } = write.document;
        const replacement = toRecord(collection, write.document);
        if (write.expected !== undefined) expecting.push({ document: { _id: key, ...replacement }, expected: write.expected });
        else documents.set(key, { replaceOne: { filter: { _id: key }, replacement, upsert: true } });
        break;
      }
      case 'delete':
        documents.set(write.key, { deleteOne: { filter: { _id: write.key } } });
        break;
      case 'increment': {
        const f = cellFields(collection, write.cell);
        const id = JSON.stringify(write.cell);
        const cell = cells.get(id);
        if (cell) cell.by += write.by;
        else cells.set(id, { f, by: write.by });
      }
    }
  }
  const changed = [...cells].filter(([, { by }]) => by !== 0);
  return {
    collection,
    documents: [...documents.values()],
    expecting,
    cells: changed.map(([id, { f, by }]) => ({
      updateOne: { filter: { _id: id }, update: { $inc: { amount: by }, $setOnInsert: { f } }, upsert: true },
    })),
    decremented: changed.filter(([, { by }]) => by < 0).map(([id]) => id),
  };
};
