import type { Facets, Fields, Scalar } from '../eventsourcing/ports/documents.port.js';
import { FacetOrder } from './facet-order.js';
import type { FacetConditions } from './facet-query.js';
import { Rows } from './rows.js';
import { SortedSlots } from './sorted-slots.js';

/** The rows with equal values in the partition and in all filters, in each of the orders. */
export type Group = { readonly number: number; readonly values: readonly Scalar[]; readonly sorted: readonly SortedSlots[] };

/** The rows of an index, in groups. */
export class FacetGroups {
  readonly rows: Rows;
  readonly orders: readonly FacetOrder[];
  private readonly facets: Facets;
  private readonly groups: Group[] = [];
  private readonly byValues = new Map<string, Group>();
  private readonly byPartition = new Map<Scalar, Group[]>();

  constructor(facets: Facets) {
    const rows = new Rows(facets.orders.length);
    this.facets = facets;
    this.rows = rows;
    this.orders = facets.orders.map((declared, number) => new FacetOrder(declared, rows, number));
  }

  /** Adds a row with a new key. Call `sort` after the last row. */
  append(key: string, fields: Fields): void {
    const slot = this.rows.add(key);
    for (const sorted of this.setFields(slot, fields).sorted) sorted.push(slot);
  }

  /** Sorts the appended rows. */
  sort(): void {
    for (const { sorted } of this.groups) for (const [number, order] of this.orders.entries()) sorted[number]?.sort(order.compare);
  }

  /** Adds a row, or replaces the one with the same key. */
  put(key: string, fields: Fields): void {
    const existing = this.rows.find(key);
    if (existing !== undefined) this.removeFromGroup(existing);
    const slot = existing ?? this.rows.add(key);
    const { sorted } = this.setFields(slot, fields);
    for (const [number, order] of this.orders.entries()) sorted[number]?.insertAt(placeOf(slot, sorted[number], order), slot);
  }

  remove(key: string): void {
    const slot = this.rows.find(key);
    if (slot === undefined) return;
    this.removeFromGroup(slot);
    this.rows.remove(slot);
  }

  /** Returns the groups that the partition and the filters of a query allow. */
  matching({ partition, allowed }: FacetConditions): readonly Group[] {
    const wanted = allowed.map(({ field, values }) => [this.facets.filters.indexOf(field), new Set(values)] as const);
    const groups = this.byPartition.get(partition) ?? [];
    return groups.filter(({ values }) => wanted.every(([index, allowedValues]) => allowedValues.has(values[index])));
  }

  /** Stores the values of a row, and returns the group that it belongs to now. */
  private setFields(slot: number, fields: Fields): Group {
    for (const order of this.orders) order.setValue(slot, order.valueOf(fields[order.field] ?? null));
    const group = this.groupOf(fields);
    this.rows.groups[slot] = group.number;
    return group;
  }

  private groupOf(fields: Fields): Group {
    const partition = fields[this.facets.partition] ?? null;
    const values = this.facets.filters.map((name) => fields[name] ?? null);
    const name = JSON.stringify([partition, values]);
    let group = this.byValues.get(name);
    if (group) return group;
    group = { number: this.groups.length, values, sorted: this.orders.map(() => new SortedSlots()) };
    this.groups.push(group);
    this.byValues.set(name, group);
    const ofPartition = this.byPartition.get(partition);
    if (ofPartition) ofPartition.push(group);
    else this.byPartition.set(partition, [group]);
    return group;
  }

  private removeFromGroup(slot: number): void {
    const group = this.groups[this.rows.groups[slot]];
    for (const [number, order] of this.orders.entries()) {
      const sorted = group?.sorted[number];
      sorted?.removeAt(placeOf(slot, sorted, order));
    }
  }
}

/** Returns the index at which a slot is, or belongs, in an order. */
const placeOf = (slot: number, sorted: SortedSlots, { compare }: FacetOrder): number => sorted.search((other) => compare(other, slot) < 0);
