import type { Scalar } from '../eventsourcing/ports/documents.port.js';
import { fieldOfOrder } from './facet-query.js';
import type { Slice } from './merged-rows.js';
import type { Rows } from './rows.js';
import type { SortedSlots } from './sorted-slots.js';

/**
 * An order of the rows of each group. The slots of a group are always stored in ascending order of the values. Read in the
 * declared direction, rows without a value are last, and rows with equal values are in descending order of their keys.
 */
export class FacetOrder {
  readonly field: string;
  readonly isDescending: boolean;
  private readonly rows: Rows;
  private readonly number: number;

  /** `declared` is a field, with a leading `-` for the descending order. `number` is the index of its values in `rows`. */
  constructor(declared: string, rows: Rows, number: number) {
    this.field = fieldOfOrder(declared);
    this.isDescending = declared !== this.field;
    this.rows = rows;
    this.number = number;
  }

  /** Returns the number of a value. That of a missing value is last in the declared direction. */
  valueOf(value: Scalar): number {
    if (value === null) return this.isDescending ? -Infinity : Infinity;
    return typeof value === 'number' ? value : Date.parse(value);
  }

  setValue(slot: number, value: number): void {
    this.values()[slot] = value;
  }

  valueAt(slot: number): number {
    return this.values()[slot];
  }

  /** Compares slots in the stored order. */
  readonly compare = (one: number, other: number): number => {
    const values = this.values();
    const [first, second] = [values[one], values[other]];
    if (first !== second) return first < second ? -1 : 1;
    const keys = this.rows.compareKeys(one, other);
    return this.isDescending ? keys : -keys;
  };

  /** Returns the rows of a group with values in a range, both bounds included. */
  slice(sorted: SortedSlots, from: number, to: number): Slice {
    const start = sorted.search((slot) => this.valueAt(slot) < from);
    return { sorted, from: start, to: sorted.search((slot) => this.valueAt(slot) <= to, start) };
  }

  private values(): Float64Array {
    return this.rows.values[this.number];
  }
}
