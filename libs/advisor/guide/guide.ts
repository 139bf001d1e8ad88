import type { Species } from '../../domain/pets/pet.events.js';
import type { Topic } from '../words/concept.js';

/** A section of the guide. `short` is the short answer. `short` followed by `more` is the full answer. */
export type Section = { readonly title: string; readonly short: string; readonly more: string };

export type SpeciesGuide = Readonly<Partial<Record<Topic, Section>>>;
export type Guide = Readonly<Record<Species, SpeciesGuide>>;

/** Makes the sections of a species. Each has a title such as "Dogs: feeding". */
export const sections = (heading: string, texts: Readonly<Partial<Record<Topic, readonly [short: string, more: string]>>>): SpeciesGuide =>
  Object.fromEntries(Object.entries(texts).map(([topic, [short, more]]) => [topic, { title: `${heading}: ${topic}`, short, more }]));
