import quickselect from 'quickselect';
import TinyQueue from 'tinyqueue';
import type { DocumentQuery, Facets, Fields, Where } from '../eventsourcing/ports/documents.port.js';
import { FacetGroups, type Group } from './facet-groups.js';
import type { FacetOrder } from './facet-order.js';
import { conditionsOf, sortOf, type Range } from './facet-query.js';
import { mergedSlots, sizeOf, type Reading, type Slice } from './merged-rows.js';

/** The values of an order that a query wants, both bounds included. */
type Bounds = { readonly number: number; readonly order: FacetOrder; readonly from: number; readonly to: number };

/** A page: `limit` rows after the first `offset` ones. */
type Page = Pick<DocumentQuery, 'limit' | 'offset'>;

/** To read a row in the order of the sort costs this many times as much as to look at one that another bound leaves. */
const COST_OF_READING = 16;
/** Up to so many rows are kept while others are looked at. The rows of later pages are separated first. */
const MAX_KEPT = 1_000;

/**
 * An index in memory that answers queries by many criteria. Rows with equal values in all filters form a group, and a query looks
 * only at the groups that it allows. It counts by searching in an order of each, and merges their orders to find a page. So the
 * cost of most queries depends on the number of groups, and hardly on the number of rows.
 */
export class FacetIndex {
  private readonly facets: Facets;
  private readonly groups: FacetGroups;

  constructor(facets: Facets) {
    this.facets = facets;
    this.groups = new FacetGroups(facets);
  }

  /** Adds a row with a new key. Much faster than `put`, but call `sort` after the last row, before any other method. */
  append(key: string, fields: Fields): void {
    this.groups.append(key, fields);
  }

  /** Sorts the appended rows. */
  sort(): void {
    this.groups.sort();
  }

  /** Adds a row, or replaces the one with the same key. */
  put(key: string, fields: Fields): void {
    this.groups.put(key, fields);
  }

  remove(key: string): void {
    this.groups.remove(key);
  }

  /** Returns how many rows meet the conditions. */
  count(where: Where): number {
    const { groups, bounds } = this.wantedBy(where);
    return countOf(groups, bounds.length > 0 ? bounds : [this.allOf(0)]);
  }

  /** Returns the keys of a page of the rows that meet the conditions. */
  keys({ where, sort, limit, offset }: DocumentQuery): readonly string[] {
    const found = sortOf(this.facets, sort);
    if (!found) throw new RangeError(`the index has no order ${sort.join()}`);
    const { groups, bounds } = this.wantedBy(where);
    if (limit <= 0) return [];
    const ofSort = bounds.find(({ number }) => number === found.order) ?? this.allOf(found.order);
    const others = bounds.filter(({ number }) => number !== found.order);
    const slots: number[] = [];
    let skipped = offset;
    for (const section of sectionsOf(ofSort, found.isReversed)) {
      const reading = readingOf(section.order, found.isReversed);
      slots.push(...pageOf(groups, [section, ...others], reading, { limit: limit - slots.length, offset: skipped }));
      if (slots.length === limit) break;
      if (skipped > 0) skipped = Math.max(0, skipped - countOf(groups, [section, ...others]));
    }
    return slots.map((slot) => this.groups.rows.keyOf(slot));
  }

  private wantedBy(where: Where): { readonly groups: readonly Group[]; readonly bounds: readonly Bounds[] } {
    const conditions = conditionsOf(this.facets, where);
    if (!conditions) throw new RangeError(`the index cannot answer ${JSON.stringify(where)}`);
    return { groups: this.groups.matching(conditions), bounds: conditions.ranges.map((range) => this.boundsOf(range)) };
  }

  private boundsOf({ field, from, to }: Range): Bounds {
    const all = this.allOf(this.groups.orders.findIndex((order) => order.field === field));
    const { order } = all;
    // A range excludes rows without a value, whose number is infinite.
    return { ...all, from: from === undefined ? -MAX : order.valueOf(from), to: to === undefined ? MAX : order.valueOf(to) };
  }

  private allOf(number: number): Bounds {
    return { number, order: this.groups.orders[number], from: -Infinity, to: Infinity };
  }
}

const MAX = Number.MAX_VALUE;

/**
 * Returns the parts of an order in which a query reads it. Rows without a value are last in both directions, so a reversed order is
 * read in two parts.
 */
const sectionsOf = (bounds: Bounds, isReversed: boolean): readonly Bounds[] => {
  if (!isReversed || Number.isFinite(bounds.from)) return [bounds];
  const none = bounds.order.valueOf(null);
  return [
    { ...bounds, from: -MAX, to: MAX },
    { ...bounds, from: none, to: none },
  ];
};

const slicesOf = (groups: readonly Group[], { number, order, from, to }: Bounds): readonly Slice[] =>
  groups.flatMap(({ sorted }) => {
    const slots = sorted[number];
    const slice = slots && order.slice(slots, from, to);
    return slice && sizeOf(slice) > 0 ? [slice] : [];
  });

const sumOf = (slices: readonly Slice[]): number => slices.reduce((sum, slice) => sum + sizeOf(slice), 0);

const slotsOf = ({ sorted, from, to }: Slice): number[] => Array.from(sorted.slots.subarray(from, to));

const isWithin = (slot: number, bounds: readonly Bounds[]): boolean =>
  bounds.every(({ order, from, to }) => from <= order.valueAt(slot) && order.valueAt(slot) <= to);

/** Counts the rows within all bounds. Looks only at those of the bound that leaves the fewest. */
const countOf = (groups: readonly Group[], bounds: readonly Bounds[]): number => {
  const [fewest, ...others] = bounds
    .map((each) => ({ each, slices: slicesOf(groups, each) }))
    .map((one) => ({ ...one, sum: sumOf(one.slices) }))
    .sort((one, other) => one.sum - other.sum);
  if (!fewest) return 0;
  if (others.length === 0) return fewest.sum;
  const rest = others.map(({ each }) => each);
  return fewest.slices.reduce((sum, slice) => sum + slotsOf(slice).filter((slot) => isWithin(slot, rest)).length, 0);
};

/** Returns how an order is read: in the declared direction, or in the other one. */
const readingOf = ({ isDescending, compare }: FacetOrder, isReversed: boolean): Reading => {
  if (isDescending === isReversed) return { compare, slotAt: ({ sorted, from }, place) => sorted.slots[from + place] };
  return { compare: (one, other) => compare(other, one), slotAt: ({ sorted, to }, place) => sorted.slots[to - 1 - place] };
};

/**
 * Returns a page of the slots within all bounds, in the order of the first. Rows are read in the order of the sort until the page is
 * full. If that takes more time than to look at all rows that another bound leaves, these are looked at.
 */
const pageOf = (groups: readonly Group[], bounds: readonly Bounds[], reading: Reading, page: Page): readonly number[] => {
  const [ofSort, filter, ...others] = bounds;
  const slices = ofSort ? slicesOf(groups, ofSort) : [];
  if (!ofSort || !filter) return takeFrom(mergedSlots(slices, reading, page.offset), page.limit);
  const candidates = slicesOf(groups, filter);
  const found: number[] = [];
  let mayRead = sumOf(candidates) / COST_OF_READING;
  const end = page.offset + page.limit;
  if (end < mayRead)
    for (const slot of mergedSlots(slices, reading, 0)) {
      if (isWithin(slot, [filter, ...others])) found.push(slot);
      if (found.length === end) return found.slice(page.offset);
      if (mayRead-- < 0) break;
    }
  return end > MAX_KEPT
    ? sortedPage(
        candidates.flatMap((slice) => slotsOf(slice).filter((slot) => isWithin(slot, [ofSort, ...others]))),
        reading,
        page,
      )
    : firstOf(candidates, [ofSort, ...others], reading, end).slice(page.offset);
};

const takeFrom = (slots: Iterable<number>, limit: number): number[] => {
  const taken: number[] = [];
  for (const slot of slots) if (taken.push(slot) === limit) break;
  return taken;
};

/** Returns the first `count` slots within all bounds. Keeps only these: most slots are dropped after one comparison. */
const firstOf = (slices: readonly Slice[], bounds: readonly Bounds[], { compare }: Reading, count: number): readonly number[] => {
  const kept = new TinyQueue<number>([], (one, other) => compare(other, one));
  for (const { sorted, from, to } of slices)
    for (let place = from; place < to; place++) {
      const slot = sorted.slots[place];
      const last = kept.length < count ? undefined : kept.peek();
      if ((last !== undefined && compare(last, slot) < 0) || !isWithin(slot, bounds)) continue;
      if (last !== undefined) kept.pop();
      kept.push(slot);
    }
  return kept.data.sort(compare);
};

/** Sorts only the rows of the page, after the rows before it and those after it were separated. */
const sortedPage = (slots: number[], { compare }: Reading, { offset, limit }: Page): readonly number[] => {
  const end = Math.min(offset + limit, slots.length);
  if (offset >= end) return [];
  if (end < slots.length) quickselect(slots, end, 0, slots.length - 1, compare);
  if (offset > 0) quickselect(slots, offset, 0, end - 1, compare);
  return slots.slice(offset, end).sort(compare);
};
