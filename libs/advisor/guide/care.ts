import type { Species } from '../../domain/pets/pet.events.js';
import type { Kind } from '../kinds/kind.js';
import type { KindTopic, Topic } from '../words/concept.js';
import { BIRDS } from './birds.js';
import { CATS } from './cats.js';
import { DOGS } from './dogs.js';
import { GENERAL, OVERVIEW } from './general.js';
import type { Guide, Section } from './guide.js';
import { FEAR, GROWTH, NOISE } from '../kinds/habits.js';
import { MEALS, ROOM, WARMTH } from '../kinds/meals-and-warmth.js';
import { BITING, SHOPPING, TOILET } from '../kinds/shopping-and-habits.js';
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

/** What the guide says for each kind, and the topic of the section that this belongs to. */
const OF_KIND: Readonly<Record<KindTopic, readonly [texts: Readonly<Record<string, string>>, section: Topic]>> = {
  meals: [MEALS, 'feeding'],
  warmth: [WARMTH, 'housing'],
  room: [ROOM, 'housing'],
  shopping: [SHOPPING, 'settling'],
  toilet: [TOILET, 'training'],
  biting: [BITING, 'training'],
  fear: [FEAR, 'training'],
  barking: [NOISE, 'training'],
  growth: [GROWTH, 'lifespan'],
};

const isKindTopic = (topic: Topic): topic is KindTopic => Object.hasOwn(OF_KIND, topic);

/** Returns what the guide says about a topic for a kind of animal. If it has nothing for the kind, the section of the species. */
export const sectionFor = (topic: Topic, kind: Kind | null, species: Species | null): Section | null => {
  if (!isKindTopic(topic)) return sectionOf(topic, species);
  const [texts, broader] = OF_KIND[topic];
  const section = sectionOf(broader, species);
  const text = kind && texts[kind.base];
  if (topic === 'growth') return text ? { title: `${section?.title.split(':')[0] ?? ''}: size`, short: text, more: '' } : null;
  return section && text ? { title: section.title, short: text, more: '' } : section;
};

/** The text of a section, with its title. */
export const sectionText = ({ title, short, more }: Section, isShort: boolean): string =>
  `From the guide, "${title}": ${isShort || more === '' ? short : `${short} ${more}`}`;
