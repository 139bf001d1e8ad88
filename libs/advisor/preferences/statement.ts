import type { Gender, Size, Species } from '../../domain/pets/pet.events.js';
import type { HealthField, Order, Slot, Stage, Unrecorded } from '../words/concept.js';

type Negatable<T> = T & { readonly isNegated: boolean };

/** One thing that a sentence says about the pet, or about the customer. */
export type Statement =
  | Negatable<{ readonly about: 'species'; readonly species: Species; readonly isOnlyLiked: boolean; readonly isDefinite: boolean }>
  | Negatable<{ readonly about: 'breed'; readonly breed: string; readonly species: Species | null }>
  | Negatable<{ readonly about: 'stage'; readonly stage: Stage; readonly species: Species | undefined }>
  | Negatable<{ readonly about: 'size'; readonly size: Size }>
  | Negatable<{ readonly about: 'children' }>
  | Negatable<{ readonly about: 'gender'; readonly gender: Gender }>
  | Negatable<{ readonly about: 'color'; readonly color: string }>
  | Negatable<{ readonly about: 'health'; readonly field: HealthField; readonly value: boolean }>
  | { readonly about: 'unrecorded'; readonly trait: Unrecorded }
  | { readonly about: 'animal'; readonly animal: string }
  | { readonly about: 'unknownBreed'; readonly name: string }
  | { readonly about: 'ownPet'; readonly species: Species }
  | { readonly about: 'order'; readonly by: Order; readonly isSoft: boolean }
  | { readonly about: 'relative'; readonly than: 'cheaper' | 'younger' | 'older' | 'smaller' | 'larger' }
  | { readonly about: 'indifference'; readonly slot: Slot };
