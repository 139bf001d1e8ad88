import type { Collection as MongoCollection, Document } from 'mongodb';
import type { Collection, Find } from '../../../eventsourcing/documents.port.js';
import { filterOf, mayLack, type Filter } from './conditions.js';
import { bare, isDescending, pathOf, type KeptDocument } from './declared.js';

type Order = Readonly<Record<string, 1 | -1>>;

/** What is shown of a document: all of it, or its text. */
export type Shown = 'whole' | 'text';

const PROJECTIONS: Readonly<Record<Shown, Document>> = { whole: {}, text: { _id: 0, json: 1 } };

const orderOf = (sort: readonly string[]): Order => ({
  ...Object.fromEntries(sort.map((field) => [pathOf(bare(field)), isDescending(field) ? -1 : 1] as const)),
  // "Ties are settled by key, downwards."
  _id: -1,
});

/** The sort's ascending fields by which something without a value may be sorted. */
const upwardsPastNulls = ({ where, sort }: Find): readonly string[] =>
  sort.filter((field) => !isDescending(field) && mayLack(where[field]));

/**
 * Runs a find. "Nulls come last either way": MongoDB sorts them first upwards and last downwards, so that downwards an
 * index gives the order by itself, and upwards a second stretch of the same index follows the first.
 */
export const findIn = async (
  documents: MongoCollection<KeptDocument>,
  collection: Collection,
  find: Find,
  shown: Shown,
): Promise<readonly KeptDocument[]> => {
  const { where, sort, limit, offset } = find;
  for (const field of sort) if (!(bare(field) in collection.fields)) throw new Error(`${collection.name} has no field ${bare(field)}`);
  const filter = filterOf(Object.keys(collection.fields), where, 'documents');
  // To MongoDB a limit of 0 is none.
  if (limit <= 0) return [];
  const [first, ...others] = upwardsPastNulls(find);
  if (first === undefined) {
    return documents.find(filter, { sort: orderOf(sort), skip: offset, limit, projection: PROJECTIONS[shown] }).toArray();
  }
  const pipeline =
    others.length === 0 && first === sort[0] ? valuesThenNulls(documents.collectionName, collection, filter, find) : byRank(filter, find);
  const page = [...pipeline, { $skip: offset }, { $limit: limit }, ...(shown === 'text' ? [{ $project: PROJECTIONS.text }] : [])];
  return documents.aggregate<KeptDocument>(page).toArray();
};

/** Every value of a type, as one unbroken range: of two ranges around null an index would not be known to give the order. */
const ANY_VALUE = { text: { $gte: '' }, integer: { $gte: -Infinity } } as const;
/** An equality with null also asks for what is missing, which are two places of an index; this is one. */
const NO_VALUE = { $type: 'null' } as const;

/** First what has a value, in its order, then what has none: each a stretch of the same index, read as far as the page asks. */
const valuesThenNulls = (name: string, { fields }: Collection, filter: Filter, { sort, limit, offset }: Find): readonly Document[] => {
  const [first = '', ...rest] = sort;
  const stretch = (condition: Document, by: readonly string[]): Document[] => [
    { $match: { $and: [filter, { [pathOf(first)]: condition }] } },
    { $sort: orderOf(by) },
    { $limit: offset + limit },
  ];
  const values = stretch(fields[first] === 'text' ? ANY_VALUE.text : ANY_VALUE.integer, sort);
  return [...values, { $unionWith: { coll: name, pipeline: stretch(NO_VALUE, rest) } }];
};

/** Where nulls must come last within the order of something else, no index has that order: everything found is sorted. */
const byRank = (filter: Filter, { sort }: Find): readonly Document[] => {
  const upwards = sort.filter((field) => !isDescending(field));
  const lacks = Object.fromEntries(upwards.map((field) => [`lacks.${field}`, { $eq: [`$${pathOf(field)}`, null] }]));
  const terms = sort.flatMap((field): [string, 1 | -1][] =>
    isDescending(field)
      ? [[pathOf(bare(field)), -1]]
      : [
          [`lacks.${field}`, 1],
          [pathOf(field), 1],
        ],
  );
  return [{ $match: filter }, { $set: lacks }, { $sort: { ...Object.fromEntries(terms), _id: -1 } }];
};
