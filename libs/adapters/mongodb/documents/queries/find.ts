import type { Collection as MongoCollection, Document } from 'mongodb';
import type { Collection, Condition, DocumentQuery, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { filterOf, canBeNull, type Filter } from './conditions.js';
import { fieldNameOf, isDescending, pathOf, type DocumentRecord } from '../declaration.js';
import type { Hints } from './hints.js';
import { indexForCount, indexForFind, isDeep, sortWithKey } from './index-choice.js';

/** Whether a query returns whole documents or only their JSON text. */
export type ResultShape = 'whole' | 'text';

const PROJECTIONS: Readonly<Record<ResultShape, Document>> = { whole: {}, text: { _id: 0, json: 1 } };

/** The documents to search. */
export type SearchTarget = { readonly documents: MongoCollection<DocumentRecord>; readonly collection: Collection; readonly hints: Hints };

const pathOfTerm = (term: string): string => (fieldNameOf(term) === 'key' ? '_id' : pathOf(fieldNameOf(term)));

const orderOf = (sort: readonly string[]): Readonly<Record<string, 1 | -1>> =>
  Object.fromEntries(sortWithKey(sort).map((term) => [pathOfTerm(term), isDescending(term) ? -1 : 1] as const));

const isAscendingField = (term: string): boolean => !isDescending(term) && term !== 'key';

/** Returns the ascending sort fields that may be null. */
const nullableAscendingFields = ({ where, sort }: DocumentQuery): readonly string[] =>
  sort.filter((term) => isAscendingField(term) && canBeNull(where[term]));

const fieldNames = ({ fields }: Collection): readonly string[] => Object.keys(fields);

const checkSort = ({ name, fields }: Collection, sort: readonly string[]): void => {
  const unknown = sort.find((term) => !(fieldNameOf(term) in fields) && !(fieldNameOf(term) === 'key' && term === sort.at(-1)));
  if (unknown !== undefined) throw new Error(`${name} has no field ${fieldNameOf(unknown)}`);
};

/**
 * Returns the results of a query. Nulls must come last in both directions, but MongoDB sorts them first in ascending order.
 * If the first sort field is ascending and can be null, two index ranges are read: the values, and then the nulls. If an
 * ascending sort field after the first can be null, MongoDB sorts the documents in memory instead.
 */
export const findIn = async (target: SearchTarget, find: DocumentQuery, shape: ResultShape): Promise<readonly DocumentRecord[]> => {
  checkSort(target.collection, find.sort);
  const filter = filterOf(fieldNames(target.collection), find.where, 'documents');
  // MongoDB interprets a limit of 0 as no limit.
  if (find.limit <= 0) return [];
  const [first, ...others] = nullableAscendingFields(find);
  if (first === undefined) return findPage(target, find, shape);
  if (others.length === 0 && first === find.sort[0]) return findValuesThenNulls(target, first, find, shape);
  return target.documents
    .aggregate<DocumentRecord>([...sortPipeline(filter, find), ...(shape === 'text' ? [{ $project: PROJECTIONS.text }] : [])])
    .toArray();
};

/**
 * Reads a page in the order of an index. MongoDB opens every document that it skips before a page. For a deep page,
 * therefore, the keys are read from the index first, and then only the documents of the page.
 */
const findPage = (target: SearchTarget, find: DocumentQuery, shape: ResultShape): Promise<readonly DocumentRecord[]> =>
  isDeep(find) ? findDeepPage(target, find, shape) : findRange(target, find, PROJECTIONS[shape]);

const findRange = (
  { documents, collection, hints }: SearchTarget,
  find: DocumentQuery,
  projection: Document,
): Promise<DocumentRecord[]> => {
  const { where, sort, limit, offset } = find;
  const filter = filterOf(fieldNames(collection), where, 'documents');
  const options = { sort: orderOf(sort), skip: offset, limit, projection };
  return hints.withHint(documents, indexForFind(collection, find), (hint) => documents.find(filter, { ...options, ...hint }).toArray());
};

/** Reads the keys of a page and then its documents. */
const findDeepPage = async (target: SearchTarget, find: DocumentQuery, shape: ResultShape): Promise<readonly DocumentRecord[]> => {
  const keys = (await findRange(target, find, { _id: 1 })).map(({ _id }) => _id);
  return readKeys(target, keys, find.where, shape);
};

/**
 * Reads the documents of keys that a search has found, in the order of the keys. The conditions apply again, as documents may change
 * after the search.
 */
export const readKeys = async (
  { documents, collection }: Pick<SearchTarget, 'documents' | 'collection'>,
  keys: readonly string[],
  where: Where,
  shape: ResultShape,
): Promise<readonly DocumentRecord[]> => {
  if (keys.length === 0) return [];
  const filter = { ...filterOf(fieldNames(collection), where, 'documents'), _id: { $in: [...keys] } };
  const projection = shape === 'text' ? { json: 1 } : PROJECTIONS.whole;
  const found = await documents.find(filter, { projection, hint: '_id_' }).toArray();
  const byKey = new Map(found.map((document) => [document._id, document]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
};

/** Counts the matching documents. */
export const countIn = ({ documents, collection, hints }: SearchTarget, where: Where): Promise<number> => {
  const filter = filterOf(fieldNames(collection), where, 'documents');
  return hints.withHint(documents, indexForCount(collection, where), (hint) => documents.countDocuments(filter, hint));
};

/**
 * Returns a condition that allows the same values except null. Call it only if `canBeNull` returns true. If the condition is
 * a list, removes null from it. In all other cases, the condition allows every value. A range from the lowest value of the
 * type is then returned, because a range excludes null.
 */
const nonNullPart = (type: 'text' | 'integer', condition: Condition | undefined): Condition =>
  condition !== null && typeof condition === 'object' && 'in' in condition
    ? { in: condition.in.filter((value) => value !== null) }
    : { from: type === 'text' ? '' : -Infinity };

/**
 * Reads the documents with a value of `field` in order, and then the documents with null. Both groups are ranges of the same
 * index.
 */
const findValuesThenNulls = async (
  target: SearchTarget,
  field: string,
  find: DocumentQuery,
  shape: ResultShape,
): Promise<readonly DocumentRecord[]> => {
  const { where, sort, limit, offset } = find;
  const withValue = { ...where, [field]: nonNullPart(target.collection.fields[field] ?? 'text', where[field]) };
  const values = await findPage(target, { ...find, where: withValue }, shape);
  if (values.length === limit) return values;
  // If no document of the page has a value, the page begins among the nulls. Its offset among them is `offset` minus the
  // number of documents with a value.
  const before = values.length > 0 || offset === 0 ? offset : await countIn(target, withValue);
  const withoutValue = { where: { ...where, [field]: null }, sort: sort.slice(1), limit: limit - values.length, offset: offset - before };
  return [...values, ...(await findPage(target, withoutValue, shape))];
};

/**
 * Sorts in memory, because no index has an order in which the nulls of several sort fields come last. For each ascending
 * field, `lacks` gets a field that is true for null: MongoDB sorts false before true.
 */
const sortPipeline = (filter: Filter, { sort, limit, offset }: DocumentQuery): readonly Document[] => {
  const ascending = sort.filter(isAscendingField);
  const lacks = Object.fromEntries(ascending.map((field) => [`lacks.${field}`, { $eq: [`$${pathOf(field)}`, null] }]));
  const terms = sortWithKey(sort).flatMap((term): [string, 1 | -1][] =>
    isAscendingField(term)
      ? [
          [`lacks.${term}`, 1],
          [pathOf(term), 1],
        ]
      : [[pathOfTerm(term), isDescending(term) ? -1 : 1]],
  );
  return [{ $match: filter }, { $set: lacks }, { $sort: Object.fromEntries(terms) }, { $skip: offset }, { $limit: limit }];
};
