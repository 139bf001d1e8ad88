import type { Species } from '../../domain/pets/pet.events.js';
import type { Topic } from '../words/concept.js';
import { BIRDS } from './birds.js';
import { CATS } from './cats.js';
import { DOGS } from './dogs.js';
import { GENERAL, OVERVIEW } from './general.js';
import type { Guide, Section } from './guide.js';
import { RABBITS } from './rabbits.js';
import { REPTILES } from './reptiles.js';
import { SMALL_PETS } from './small-pets.js';

const GUIDE: Guide = { DOG: DOGS, CAT: CATS, RABBIT: RABBITS, BIRD: BIRDS, REPTILE: REPTILES, OTHER: SMALL_PETS };

/**
 * Returns the section about a topic: the one for every species, or the one for this species. Returns null if the guide has
 * neither. `species` is null if no species is known; a few topics have an overview then.
 */
export const sectionOf = (topic: Topic, species: Species | null): Section | null =>
  GENERAL[topic] ?? (species === null ? OVERVIEW : GUIDE[species])[topic] ?? null;

/** The text of a section, with its title. */
export const sectionText = ({ title, short, more }: Section, isShort: boolean): string =>
  `From the guide, "${title}": ${isShort ? short : `${short} ${more}`}`;
