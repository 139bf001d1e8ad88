import type { IndexDescription } from 'mongodb';
import {
  checkpointOf,
  type Collection,
  type Fields,
  type Scalar,
  type StoredDocument,
} from '../../../eventsourcing/ports/documents.port.js';

/** A document as MongoDB keeps it: the text that goes out, and apart from it the fields it is found by. */
export type KeptDocument = {
  readonly _id: string;
  readonly json: string;
  readonly revision: number;
  readonly f: Readonly<Record<string, Scalar>>;
};

/** A counter; its id is its values' JSON text. */
export type KeptCell = { readonly _id: string; readonly f: Readonly<Record<string, Scalar>>; readonly amount: number };

const IDENTIFIER = /^[a-z_][A-Za-z0-9_]*$/;

/** The place of a declared field in a kept document; no other text ever names a place. */
export const pathOf = (name: string): string => {
  if (!IDENTIFIER.test(name)) throw new Error(`${name} cannot name a field`);
  return `f.${name}`;
};

/** A sort or index entry without its leading `-`. */
export const bare = (field: string): string => (field.startsWith('-') ? field.slice(1) : field);

export const isDescending = (field: string): boolean => field.startsWith('-');

/** The names of the MongoDB collections of one generation of a collection's version. */
export const placesOf = (collection: Pick<Collection, 'name' | 'version'>, generation: number): { documents: string; cells: string } => {
  const documents = `${checkpointOf(collection)}_${generation}`;
  return { documents, cells: `${documents}_cells` };
};

const entryOf = (field: string): readonly [string, 1 | -1] => [
  bare(field) === 'key' ? '_id' : pathOf(bare(field)),
  isDescending(field) ? -1 : 1,
];

/** An index with the key that ends it: "`-key`, unless the key is named". */
export const keyOrdered = (index: readonly string[]): readonly string[] =>
  index.some((entry) => bare(entry) === 'key') ? index : [...index, '-key'];

/** How an index whose key is named is called in the database. */
export const nameOfIndex = (index: readonly string[]): string => `by ${index.join(' ')}`;

/** The indexes of a collection's documents. */
export const indexesOf = ({ indexes }: Pick<Collection, 'indexes'>): readonly IndexDescription[] =>
  indexes.map(keyOrdered).map((index) => ({ name: nameOfIndex(index), key: new Map(index.map(entryOf)) }));

/** The index of a collection's cells: it ends in the amount, so that adding up opens no cell. */
export const cellIndexOf = ({ cells }: Pick<Collection, 'cells'>): string => nameOfIndex([...cells, 'amount']);

/** Cells are asked for by their first fields' values: tenant, status. */
export const cellIndexesOf = (collection: Pick<Collection, 'cells'>): readonly IndexDescription[] =>
  collection.cells.length === 0
    ? []
    : [{ name: cellIndexOf(collection), key: new Map([...collection.cells.map(entryOf), ['amount', 1] as const]) }];

const fieldsOf = (names: readonly string[], fields: Fields): Readonly<Record<string, Scalar>> =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

/** A document on its way into the database. Throws where it is none: a database takes anything. */
export const kept = ({ fields }: Collection, document: StoredDocument): Omit<KeptDocument, '_id'> => {
  if (typeof document.json !== 'string') throw new TypeError(`the document ${document.key} has no text`);
  return { json: document.json, revision: document.revision, f: fieldsOf(Object.keys(fields), document.fields) };
};

/** A document as it was put, with the fields that `collection` declares. */
export const stored = ({ fields }: Collection, { _id, json, revision, f }: KeptDocument): StoredDocument => ({
  key: _id,
  json,
  revision,
  fields: fieldsOf(Object.keys(fields), f),
});

/** The values of a cell by name. Throws where they are not one for each. */
export const cellFields = ({ name, cells }: Collection, cell: readonly Scalar[]): Readonly<Record<string, Scalar>> => {
  if (cells.length === 0 || cell.length !== cells.length)
    throw new Error(`a cell of ${name} has ${cells.length} values, not ${cell.length}`);
  return Object.fromEntries(cells.map((field, index) => [field, cell[index] ?? null]));
};
