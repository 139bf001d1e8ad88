import type { AnyBulkWriteOperation } from 'mongodb';
import { checkpointOf, type Collection, type DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { cellFields, kept, type KeptCell, type KeptDocument } from './declared.js';

/** What the writes of one collection come to. Each document and each cell stands in it once, so that their order does not matter. */
export type CollectionWrites = {
  readonly collection: Collection;
  readonly documents: readonly AnyBulkWriteOperation<KeptDocument>[];
  /** Those that are written only where another revision, or none, stands. */
  readonly expecting: readonly ExpectingWrite[];
  readonly cells: readonly AnyBulkWriteOperation<KeptCell>[];
  /** The cells that something was taken from: those at zero say nothing, and are not kept. */
  readonly lessened: readonly string[];
};

/** A document on its way to where one of a certain revision, or none, must stand. */
export type ExpectingWrite = { readonly document: KeptDocument; readonly expected: number | 'none' };

type Cell = { readonly f: KeptCell['f']; by: number };

/** Sorts writes by collection. Throws where one cannot be done. */
export const byCollection = (writes: readonly DocumentWrite[]): readonly CollectionWrites[] => {
  const found = new Map<string, { readonly collection: Collection; readonly its: DocumentWrite[] }>();
  for (const write of writes) {
    const name = checkpointOf(write.collection);
    const others = found.get(name);
    if (others) others.its.push(write);
    else found.set(name, { collection: write.collection, its: [write] });
  }
  return [...found.values()].map(({ collection, its }) => writesOf(collection, its));
};

const writesOf = (collection: Collection, writes: readonly DocumentWrite[]): CollectionWrites => {
  const documents = new Map<string, AnyBulkWriteOperation<KeptDocument>>();
  const expecting: ExpectingWrite[] = [];
  const cells = new Map<string, Cell>();
  for (const write of writes) {
    switch (write.kind) {
      case 'put': {
        const { key } = write.document;
        const replacement = kept(collection, write.document);
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
    lessened: changed.filter(([, { by }]) => by < 0).map(([id]) => id),
  };
};
