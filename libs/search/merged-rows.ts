import TinyQueue from 'tinyqueue';
import type { SortedSlots } from './sorted-slots.js';

/** Rows of one group that are next to each other in an order: those from index `from` up to, but not including, index `to`. */
export type Slice = { readonly sorted: SortedSlots; readonly from: number; readonly to: number };

/** How slices are read: in which direction, and how their slots compare in it. */
export type Reading = {
  readonly compare: (one: number, other: number) => number;
  /** Returns the slot at a place of a slice, in the direction of reading. */
  readonly slotAt: (slice: Slice, place: number) => number;
};

/** So many rows are skipped one by one. More rows are skipped in large steps. */
const SKIPPED_ONE_BY_ONE = 1_024;

type Cursor = { readonly slice: Slice; place: number; slot: number };

export const sizeOf = ({ from, to }: Slice): number => to - from;

/** Yields the slots of all slices in their common order, after the first `offset` ones. */
export function* mergedSlots(slices: readonly Slice[], reading: Reading, offset: number): Generator<number> {
  const { places, skipped } = skipMany(slices, reading, offset);
  const cursors = slices.flatMap((slice, index): Cursor[] => {
    const place = places[index];
    return place < sizeOf(slice) ? [{ slice, place, slot: reading.slotAt(slice, place) }] : [];
  });
  const queue = new TinyQueue(cursors, (one, other) => reading.compare(one.slot, other.slot));
  let toSkip = offset - skipped;
  for (let cursor = queue.pop(); cursor; cursor = queue.pop()) {
    if (toSkip > 0) toSkip--;
    else yield cursor.slot;
    if (++cursor.place === sizeOf(cursor.slice)) continue;
    cursor.slot = reading.slotAt(cursor.slice, cursor.place);
    queue.push(cursor);
  }
}

/**
 * Returns places in the slices that are at or before the row with number `offset`, and how many rows are before these places. In
 * each step, a row from the middle of the largest slice shows on which side of it the wanted row is.
 */
const skipMany = (slices: readonly Slice[], reading: Reading, offset: number): { readonly places: number[]; readonly skipped: number } => {
  const places = slices.map(() => 0);
  const ends = slices.map(sizeOf);
  let skipped = 0;
  while (offset - skipped > SKIPPED_ONE_BY_ONE) {
    const largest = indexOfLargest(places, ends);
    const slice = slices[largest];
    if (!slice || ends[largest] - places[largest] < 2) break;
    const pivot = reading.slotAt(slice, (places[largest] + ends[largest]) >>> 1);
    const found = slices.map((each, index) => placeOf(pivot, each, reading, places[index], ends[index]));
    const before = found.reduce((sum, place, index) => sum + place - places[index], 0);
    const target = skipped + before <= offset ? places : ends;
    if (target === places) skipped += before;
    for (const [index, place] of found.entries()) target[index] = place;
  }
  return { places, skipped };
};

const indexOfLargest = (places: readonly number[], ends: readonly number[]): number => {
  let largest = 0;
  for (let index = 1; index < places.length; index++) if (ends[index] - places[index] > ends[largest] - places[largest]) largest = index;
  return largest;
};

/** Returns the first place in [from, to) of a slice whose slot is not before the pivot. */
const placeOf = (pivot: number, slice: Slice, { compare, slotAt }: Reading, from: number, to: number): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(slotAt(slice, middle), pivot) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};
