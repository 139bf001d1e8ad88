import type { Collection as MongoCollection, Document } from 'mongodb';
import type { Collection, Condition, Find, Where } from '../../../../eventsourcing/ports/documents.port.js';
import { filterOf, mayLack, type Filter } from './conditions.js';
import { bare, isDescending, pathOf, type KeptDocument } from '../declared.js';
import type { Hints } from './hints.js';
import { indexForCount, indexForFind, sortWithKey } from './index-choice.js';

/** What is shown of a document: all of it, or its text. */
export type Shown = 'whole' | 'text';

const PROJECTIONS: Readonly<Record<Shown, Document>> = { whole: {}, text: { _id: 0, json: 1 } };

/** Where documents are looked for. */
export type Searched = { readonly documents: MongoCollection<KeptDocument>; readonly collection: Collection; readonly hints: Hints };

const pathOfTerm = (term: string): string => (bare(term) === 'key' ? '_id' : pathOf(bare(term)));

const orderOf = (sort: readonly string[]): Readonly<Record<string, 1 | -1>> =>
  Object.fromEntries(sortWithKey(sort).map((term) => [pathOfTerm(term), isDescending(term) ? -1 : 1] as const));

const isAscendingField = (term: string): boolean => !isDescending(term) && term !== 'key';

/** The sort's ascending fields by which something without a value may be sorted. */
const upwardsPastNulls = ({ where, sort }: Find): readonly string[] =>
  sort.filter((term) => isAscendingField(term) && mayLack(where[term]));

const fieldNames = ({ fields }: Collection): readonly string[] => Object.keys(fields);

const checkSort = ({ name, fields }: Collection, sort: readonly string[]): void => {
  const unknown = sort.find((term) => !(bare(term) in fields) && !(bare(term) === 'key' && term === sort.at(-1)));
  if (unknown !== undefined) throw new Error(`${name} has no field ${bare(unknown)}`);
};

/**
 * Runs a find. "Nulls come last either way": MongoDB sorts them first upwards and last downwards, so that downwards an index gives the
 * order by itself, and upwards a second stretch of the same index follows the first.
 */
export const findIn = async (searched: Searched, find: Find, shown: Shown): Promise<readonly KeptDocument[]> => {
  checkSort(searched.collection, find.sort);
  const filter = filterOf(fieldNames(searched.collection), find.where, 'documents');
  // To MongoDB a limit of 0 is none.
  if (find.limit <= 0) return [];
  const [first, ...others] = upwardsPastNulls(find);
  if (first === undefined) return pageIn(searched, find, shown);
  if (others.length === 0 && first === find.sort[0]) return valuesThenNulls(searched, first, find, shown);
  return searched.documents
    .aggregate<KeptDocument>([...byRank(filter, find), ...(shown === 'text' ? [{ $project: PROJECTIONS.text }] : [])])
    .toArray();
};

/** A page opens at most this many times as many documents as it shows. */
const MOST_OPENED = 10;

/** A page in an order that an index has. A deep one finds its keys in the index first, and opens only what it shows. */
const pageIn = (searched: Searched, find: Find, shown: Shown): Promise<readonly KeptDocument[]> => {
  const { limit, offset } = find;
  return offset + limit > MOST_OPENED * limit ? deepPageIn(searched, find, shown) : stretchOf(searched, find, PROJECTIONS[shown]);
};

const stretchOf = ({ documents, collection, hints }: Searched, find: Find, projection: Document): Promise<KeptDocument[]> => {
  const { where, sort, limit, offset } = find;
  const filter = filterOf(fieldNames(collection), where, 'documents');
  const options = { sort: orderOf(sort), skip: offset, limit, projection };
  return hints.following(documents, indexForFind(collection, find), (hint) => documents.find(filter, { ...options, ...hint }).toArray());
};

/** What has changed since its key was found must still meet the conditions. */
const deepPageIn = async (searched: Searched, find: Find, shown: Shown): Promise<readonly KeptDocument[]> => {
  const keys = (await stretchOf(searched, find, { _id: 1 })).map(({ _id }) => _id);
  const filter = { ...filterOf(fieldNames(searched.collection), find.where, 'documents'), _id: { $in: keys } };
  const projection = shown === 'text' ? { json: 1 } : PROJECTIONS.whole;
  const found = await searched.documents.find(filter, { projection, hint: '_id_' }).toArray();
  const byKey = new Map(found.map((document) => [document._id, document]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
};

/** Counts what meets the conditions. */
export const countIn = ({ documents, collection, hints }: Searched, where: Where): Promise<number> => {
  const filter = filterOf(fieldNames(collection), where, 'documents');
  return hints.following(documents, indexForCount(collection, where), (hint) => documents.countDocuments(filter, hint));
};

/** The part of a condition that only values meet. */
const valuesOf = (type: 'text' | 'integer', condition: Condition | undefined): Condition =>
  condition !== null && typeof condition === 'object' && 'in' in condition
    ? { in: condition.in.filter((value) => value !== null) }
    : { from: type === 'text' ? '' : -Infinity };

/** First what has a value of that field, in its order, then what has none: each a stretch of the same index. */
const valuesThenNulls = async (searched: Searched, field: string, find: Find, shown: Shown): Promise<readonly KeptDocument[]> => {
  const { where, sort, limit, offset } = find;
  const withValue = { ...where, [field]: valuesOf(searched.collection.fields[field] ?? 'text', where[field]) };
  const values = await pageIn(searched, { ...find, where: withValue }, shown);
  if (values.length === limit) return values;
  const before = values.length > 0 || offset === 0 ? offset : await countIn(searched, withValue);
  const withoutValue = { where: { ...where, [field]: null }, sort: sort.slice(1), limit: limit - values.length, offset: offset - before };
  return [...values, ...(await pageIn(searched, withoutValue, shown))];
};

/** Where nulls must come last within the order of something else, no index has that order: everything found is sorted. */
const byRank = (filter: Filter, { sort, limit, offset }: Find): readonly Document[] => {
  const upwards = sort.filter(isAscendingField);
  const lacks = Object.fromEntries(upwards.map((field) => [`lacks.${field}`, { $eq: [`$${pathOf(field)}`, null] }]));
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
