import { SortedSlots } from './sorted-slots.js';

const WORDS_PER_KEY = 4;
const FIRST_CAPACITY = 1_024;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The four 32-bit words of a UUID. */
type Words = readonly [number, number, number, number];

const wordsOf = (key: string): Words => {
  if (!UUID.test(key)) throw new RangeError(`the key ${JSON.stringify(key)} is not a UUID`);
  const hex = key.replaceAll('-', '');
  const wordAt = (from: number): number => Number.parseInt(hex.slice(from, from + 8), 16);
  return [wordAt(0), wordAt(8), wordAt(16), wordAt(24)];
};

/**
 * The rows of an index in typed arrays: for each row its key, its values to sort by, and the group that it belongs to. A row is
 * named by its slot, a small integer, which is used again after the row was removed. Keys are UUIDs.
 */
export class Rows {
  /** For each sort field: the values by slot. */
  readonly values: Float64Array[];
  /** The number of the group, by slot. */
  groups = new Int32Array(FIRST_CAPACITY);
  private words = new Uint32Array(FIRST_CAPACITY * WORDS_PER_KEY);
  private readonly byKey = new SortedSlots();
  private readonly free: number[] = [];
  private used = 0;

  constructor(sortFields: number) {
    this.values = Array.from({ length: sortFields }, () => new Float64Array(FIRST_CAPACITY));
  }

  count(): number {
    return this.byKey.length;
  }

  /** Returns the slot of a key, or undefined. */
  find(key: string): number | undefined {
    const index = this.indexOf(wordsOf(key));
    const slot = this.byKey.slots[index];
    return index < this.byKey.length && slot !== undefined && this.keyOf(slot) === key ? slot : undefined;
  }

  /** Adds a row for a key that has none, and returns its slot. The caller sets its group and values. */
  add(key: string): number {
    const words = wordsOf(key);
    const slot = this.free.pop() ?? this.used++;
    this.reserve(slot + 1);
    this.words.set(words, slot * WORDS_PER_KEY);
    this.byKey.insertAt(this.indexOf(words), slot);
    return slot;
  }

  remove(slot: number): void {
    this.byKey.removeAt(this.byKey.search((other) => this.compareKeys(other, slot) < 0));
    this.free.push(slot);
  }

  /** Returns a negative number if the key of the first slot is before that of the second, in the order of their texts. */
  compareKeys(one: number, other: number): number {
    const [first, second] = [one * WORDS_PER_KEY, other * WORDS_PER_KEY];
    for (let word = 0; word < WORDS_PER_KEY; word++) {
      const difference = this.words[first + word] - this.words[second + word];
      if (difference !== 0) return difference;
    }
    return 0;
  }

  keyOf(slot: number): string {
    const words = this.words.subarray(slot * WORDS_PER_KEY, (slot + 1) * WORDS_PER_KEY);
    const hex = Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Returns the index of the first key that is not before these words. Usually a new key is after all others. */
  private indexOf(words: Words): number {
    const isBefore = (slot: number): boolean => {
      for (let word = 0; word < WORDS_PER_KEY; word++) {
        const difference = this.words[slot * WORDS_PER_KEY + word] - words[word];
        if (difference !== 0) return difference < 0;
      }
      return false;
    };
    const last = this.byKey.slots[this.byKey.length - 1];
    return this.byKey.length > 0 && last !== undefined && isBefore(last) ? this.byKey.length : this.byKey.search(isBefore);
  }

  private reserve(slots: number): void {
    if (slots <= this.groups.length) return;
    const capacity = Math.ceil(slots * 1.5);
    const grown = <T extends Int32Array | Uint32Array | Float64Array>(array: T, length: number): T => {
      const copy = new (array.constructor as new (length: number) => T)(length);
      copy.set(array);
      return copy;
    };
    this.groups = grown(this.groups, capacity);
    this.words = grown(this.words, capacity * WORDS_PER_KEY);
    for (const [index, values] of this.values.entries()) this.values[index] = grown(values, capacity);
  }
}
