import type { Species } from '../../domain/pets/pet.events.js';
import type { Kind } from '../kinds/kind.js';
import type { KindTopic, Topic } from '../words/concept.js';
import { BIRDS, CATS, DOGS, RABBITS, REPTILES, SMALL_PETS } from './species.js';
import { GENERAL, OVERVIEW } from './general.js';
import type { Guide, Section } from './guide.js';
import { AWAY, FEAR, GROWTH, NOISE, MEALS, ROOM, WARMTH, BITING, SHOPPING, SHOPPING_YOUNG, TOILET } from '../kinds/kind-texts.js';
import type { Sentence } from '../reading/sentence.js';

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

/** Returns what the guide says about a topic for a kind of animal. If it has nothing for the kind, the section of the species. `isYoung`: it is a puppy or a kitten. */
export const sectionFor = (topic: Topic, kind: Kind | null, species: Species | null, isYoung = false): Section | null => {
  if (topic === 'away' && kind && AWAY[kind.base] !== undefined) {
    const general = sectionOf('away', species);
    return general && { ...general, more: `${general.more} ${AWAY[kind.base]}` };
  }
  if (!isKindTopic(topic)) return sectionOf(topic, species);
  const [texts, broader] = OF_KIND[topic];
  const section = sectionOf(broader, species);
  const text = kind && texts[kind.base];
  if (topic === 'growth') return text ? { title: `${section?.title.split(':')[0] ?? ''}: size`, short: text, more: '' } : null;
  const more = (isYoung && topic === 'shopping' && kind && SHOPPING_YOUNG[kind.base]) || '';
  return section && text ? { title: section.title, short: text, more } : section;
};

/** The text of a section, with its title. */
export const sectionText = ({ title, short, more }: Section, isShort: boolean): string =>
  `From the guide, "${title}": ${isShort || more === '' ? short : `${short} ${more}`}`;

/** Foods that are poisonous or dangerous for every species of the guide, or for some. */
const DANGEROUS: readonly (readonly [words: string, species: readonly Species[] | 'all'])[] = [
  ['chocolate cocoa coffee caffeine tea alcohol beer wine onion onions garlic chives leek leeks xylitol', 'all'],
  ['avocado avocados', ['RABBIT', 'BIRD', 'OTHER', 'REPTILE']],
  ['grape grapes raisin raisins macadamia macadamias currants', ['DOG', 'CAT']],
  ['rhubarb potato potatoes', ['RABBIT', 'OTHER', 'REPTILE']],
  ['lily lilies', ['CAT', 'DOG']],
  ['bone bones', ['DOG', 'CAT']],
  ['nuts walnut walnuts dough', ['DOG', 'CAT']],
  ['milk', ['CAT', 'DOG', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER']],
];
/** Words of a question about a food: "Can dogs eat grapes?" */
const MAY_EAT = /^(eat|eats|have|give|feed|ok|okay|safe|bad|good|poisonous|toxic|dangerous|drink)$/;

/** Why some foods are dangerous, if that is not plain. */
const WHY: Readonly<Record<string, string>> = { bone: 'Cooked bones splinter.', bones: 'Cooked bones splinter.' };

/** Returns a warning that names each food of the questions that is dangerous for the species; null if none is. */
export const foodAnswer = (questions: readonly Sentence[], species: Species): string | null => {
  const words = questions
    .filter(({ tokens }) => tokens.some(({ word }) => MAY_EAT.test(word)))
    .flatMap(({ tokens }) => tokens.map(({ word }) => word));
  const foods = words.filter((word) =>
    DANGEROUS.some(([names, of]) => names.split(' ').includes(word) && (of === 'all' || of.includes(species))),
  );
  const section = sectionOf('feeding', species);
  const [food] = foods;
  if (food === undefined || !section) return null;
  const names = [...new Set(foods)];
  const why = names.flatMap((one) => (Object.hasOwn(WHY, one) ? [` ${WHY[one]}`] : []));
  return `From the guide, "${section.title}": do not give ${names.join(' or ')}: it can be dangerous.${[...new Set(why)].join('')} If the animal has eaten some, call a vet now. ${section.short}`;
};
