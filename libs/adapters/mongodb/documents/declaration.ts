import type { IndexDescription } from 'mongodb';
import {
  checkpointOf,
  type Collection,
  type Fields,
  type Scalar,
  type StoredDocument,
} from '../../../eventsourcing/ports/documents.port.js';

/** A document in MongoDB: its JSON text, and its fields for queries. */
export type DocumentRecord = {
  readonly _id: string;
  readonly json: string;
  readonly revision: number;
  readonly f: Readonly<Record<string, Scalar>>;
};

/** A cell in MongoDB: a counter for one combination of field values. `_id` is the JSON of these values. */
export type CellRecord = { readonly _id: string; readonly f: Readonly<Record<string, Scalar>>; readonly amount: number };

const IDENTIFIER = /^[a-z_][A-Za-z0-9_]*$/;

/** Returns the path of a declared field. Throws if the name is not an identifier. */
export const pathOf = (name: string): string => {
  if (!IDENTIFIER.test(name)) throw new Error(`${name} cannot name a field`);
  return `f.${name}`;
};

/** Returns the field name of a sort or index entry: `-name` means descending order. */
export const fieldNameOf = (field: string): string => (field.startsWith('-') ? field.slice(1) : field);

export const isDescending = (field: string): boolean => field.startsWith('-');

/** Returns the names of the MongoDB collections for one generation of a version. Clearing a version starts a new generation. */
export const collectionNamesOf = (
  collection: Pick<Collection, 'name' | 'version'>,
  generation: number,
): { documents: string; cells: string } => {
  const documents = `${checkpointOf(collection)}_${generation}`;
  return { documents, cells: `${documents}_cells` };
};

/** Returns the names of the MongoDB collections in which the documents of a version are. */
export const namesOfVersion = ({
  declared,
  of = declared,
  generation,
}: {
  readonly declared: Pick<Collection, 'name' | 'version'>;
  readonly of?: Pick<Collection, 'name' | 'version'>;
  readonly generation: number;
}): { documents: string; cells: string } => collectionNamesOf(of, generation);

const entryOf = (field: string): readonly [string, 1 | -1] => [
  fieldNameOf(field) === 'key' ? '_id' : pathOf(fieldNameOf(field)),
  isDescending(field) ? -1 : 1,
];

/** Appends `-key` to an index that does not contain the document's key, so that the order of documents is unique. */
export const withKey = (index: readonly string[]): readonly string[] =>
  index.some((entry) => fieldNameOf(entry) === 'key') ? index : [...index, '-key'];

/** Returns the name of an index in the database. For an index of documents, pass the result of `withKey`. */
export const nameOfIndex = (index: readonly string[]): string => `by ${index.join(' ')}`;

/** Returns the indexes of a collection's documents. */
export const indexesOf = ({ indexes }: Pick<Collection, 'indexes'>): readonly IndexDescription[] =>
  indexes.map(withKey).map((index) => ({ name: nameOfIndex(index), key: new Map(index.map(entryOf)) }));

/**
 * Returns the name of the cells' index. The index ends with the amount, so that a sum reads only the index.
 */
export const cellIndexOf = ({ cells }: Pick<Collection, 'cells'>): string => nameOfIndex([...cells, 'amount']);

/**
 * Returns the index of a collection's cells, or `[]` if nothing is counted. The index keeps the declared order of the
 * fields, because queries have conditions on the first of them, such as tenant and status.
 */
export const cellIndexesOf = (collection: Pick<Collection, 'cells'>): readonly IndexDescription[] =>
  collection.cells.length === 0
    ? []
    : [{ name: cellIndexOf(collection), key: new Map([...collection.cells.map(entryOf), ['amount', 1] as const]) }];

const fieldsOf = (names: readonly string[], fields: Fields): Readonly<Record<string, Scalar>> =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

/** Converts a document for storage. Throws if the document has no JSON text, because MongoDB would accept such a document. */
export const toRecord = ({ fields }: Collection, document: StoredDocument): Omit<DocumentRecord, '_id'> => {
  if (typeof document.json !== 'string') throw new TypeError(`the document ${document.key} has no text`);
  return { json: document.json, revision: document.revision, f: fieldsOf(Object.keys(fields), document.fields) };
};

/** Converts a record to a document with the fields that `collection` declares. */
export const fromRecord = ({ fields }: Collection, { _id, json, revision, f }: DocumentRecord): StoredDocument => ({
  key: _id,
  json,
  revision,
  fields: fieldsOf(Object.keys(fields), f),
});

/** Returns the values of a cell by field name. Throws unless there is one value for each field. */
export const cellFields = ({ name, cells }: Collection, cell: readonly Scalar[]): Readonly<Record<string, Scalar>> => {
  if (cells.length === 0 || cell.length !== cells.length)
    throw new Error(`a cell of ${name} has ${cells.length} values, not ${cell.length}`);
  return Object.fromEntries(cells.map((field, index) => [field, cell[index] ?? null]));
};
