import type { Projection } from '../../libs/eventsourcing/projection.js';
import { projections } from '../../libs/projections/projections.js';

/** The name of a pet that the projections reject. */
export const POISON = 'Poison';

/** The beginning of the error with which they reject it. */
export const REJECTS = 'this projection rejects the name';

/** Returns all projections. Until it is repaired, that of pets throws at events of a type that name a pet POISON. */
export const failingProjections = (
  type: 'PetListed' | 'PetDetailsRevised',
  isRepaired: () => boolean = () => false,
): readonly Projection[] =>
  projections.map((projection) => {
    const handler = projection.on[type];
    if (projection.name !== 'pets' || typeof handler !== 'function') return projection;
    const failing: typeof handler = (current, data, meta) => {
      if (!isRepaired() && (data as { details: { name: string } }).details.name === POISON) throw new Error(`${REJECTS} in ${meta.stream}`);
      return handler(current, data, meta);
    };
    return { ...projection, on: { ...projection.on, [type]: failing } };
  });
