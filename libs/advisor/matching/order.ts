import type { Order } from '../words/concept.js';
import { SIZES } from '../../domain/pets/pet.events.js';
import type { CatalogueCriteria, CataloguePet } from '../catalogue.js';
import { byPrice } from './money.js';

type Compare = (one: CataloguePet, other: CataloguePet) => number;
type Ordering = {
  readonly compare: Compare;
  /** How the catalogue sorts in this order. Undefined if it cannot. */
  readonly sort: CatalogueCriteria['sort'];
};

const reversed =
  (compare: Compare): Compare =>
  (one, other) =>
    compare(other, one);
const byAge: Compare = (one, other) => one.ageMonths - other.ageMonths;
/** Pets without a size come last in both directions. */
const bySize =
  (direction: 1 | -1): Compare =>
  ({ size: one }, { size: other }) =>
    one && other ? direction * (SIZES.indexOf(one) - SIZES.indexOf(other)) : Number(!one) - Number(!other);
const byArrival: Compare = ({ createdAt: one = '' }, { createdAt: other = '' }) => (one < other ? -1 : one > other ? 1 : 0);

/** Every order in which a customer can want pets, for example the cheapest first. */
export const ORDERS: Readonly<Record<Order, Ordering>> = {
  cheapest: { compare: byPrice, sort: { field: 'price', order: 'ASC' } },
  dearest: { compare: reversed(byPrice), sort: { field: 'price', order: 'DESC' } },
  youngest: { compare: byAge, sort: { field: 'ageMonths', order: 'ASC' } },
  oldest: { compare: reversed(byAge), sort: { field: 'ageMonths', order: 'DESC' } },
  newest: { compare: reversed(byArrival), sort: { field: 'createdAt', order: 'DESC' } },
  longest: { compare: byArrival, sort: { field: 'createdAt', order: 'ASC' } },
  smallest: { compare: bySize(1), sort: undefined },
  largest: { compare: bySize(-1), sort: undefined },
};
