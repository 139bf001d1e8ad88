import type { Catalogue } from '../catalogue.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { animalOf } from '../dialogue/own-animal.js';
import { searchPets } from '../matching/search.js';
import { NO_PREFERENCES, type Preferences } from '../preferences/preferences.js';
import type { Sentence } from '../reading/sentence.js';
import { spacedWords } from '../reading/token.js';
import { breedText, joined } from '../wording/criteria.js';
import { textPart, type Part } from '../wording/part.js';
import { SPECIES_WORDS } from '../wording/pet-facts.js';
import type { HealthField } from '../words/concept.js';
import { PET_WORDS } from '../words/animals.js';

/** A question about all pets of the store, not about one that is looked for: "are your cats neutered?" */
const ABOUT_ALL =
  /^ (?:and |so |ok |but |also |hi |hello )*(?:do|are|have|were|did|how many) (?:all |any )?(?:of )?(?:your|the|these|all|u|you|they)(?= )| how many (?:of )?(?:your|the|them|dogs|cats|rabbits|birds|reptiles|pets|animals) /;

const COUNTS_AGAIN = / how many (?:[^ ]+ ){1,10}how many /;
const isMissing = ({ concept, isNegated }: Sentence['items'][number]): boolean =>
  concept?.kind === 'health' && concept.field !== 'specialNeeds' && isNegated;

type Counted = readonly [words: string, wish: Partial<Preferences>];

/** The fields of the catalogue that a question names, and the wish that counts the pets with each. */
const fieldsOf = ({ items }: Sentence): readonly Counted[] => {
  const found = new Map<string, Counted[1]>();
  for (const { concept, isNegated } of items) {
    if (concept?.kind === 'health') {
      const value = concept.value !== isNegated;
      found.set(HEALTH_WORDS[concept.field][value ? 0 : 1], { health: { [concept.field]: value } });
    }
    if (concept?.kind === 'kids') found.set('are good with children', { children: true });
  }
  return [...found];
};

const HEALTH_WORDS: Readonly<Record<HealthField, readonly [yes: string, no: string]>> = {
  vaccinated: ['are vaccinated', 'are not vaccinated'],
  spayedNeutered: ['are spayed or neutered', 'are not spayed or neutered'],
  microchipped: ['are microchipped', 'are not microchipped'],
  specialNeeds: ['have special needs', 'have no special needs'],
};

/** Answers a question about a field of all pets by numbers. Returns no parts if the last message has no such question. */
export const countParts = async ({ sentences, referred, shown }: Dialogue, catalogue: Catalogue): Promise<readonly Part[]> => {
  if (referred.named.length > 0) return [];
  for (const sentence of sentences) {
    const { items, tokens } = sentence;
    const fields = fieldsOf(sentence);
    const species = [...new Set(items.flatMap(({ concept }) => animalOf(concept)?.species ?? []))];
    const isOfAll =
      species.length > 0 || tokens.some(({ word }) => PET_WORDS.has(word)) || (shown.length === 0 && / they /.test(spacedWords(tokens)));
    // "How many dogs do you have and how many are not vaccinated" counts twice. Nobody looks for pets that are not vaccinated.
    const isCounting = COUNTS_AGAIN.test(spacedWords(tokens)) || items.some(isMissing);
    const isSought =
      !isCounting &&
      items.some(
        ({ concept, text }) => concept?.kind === 'want' || (concept?.kind === 'query' && text !== 'how many') || concept?.kind === 'breed',
      );
    if (
      fields.length === 0 ||
      !isOfAll ||
      isSought ||
      !((isCounting && items.some(({ concept }) => concept?.kind === 'query')) || ABOUT_ALL.test(spacedWords(tokens)))
    )
      continue;
    const breeds = [...new Set(items.flatMap(({ concept }) => animalOf(concept)?.breed ?? []))];
    const countOf = async (wish: Partial<Preferences>): Promise<number> =>
      (await searchPets(catalogue, { ...NO_PREFERENCES, species, breeds, ...wish }, { limit: 1, isCounting: true })).count;
    const total = await countOf({});
    if (total === 0) continue;
    const counts = await Promise.all(fields.map(async ([words, wish]) => `${await countOf(wish)} ${words}`));
    const nouns =
      species.length === 0
        ? 'pets'
        : joined(species.map((one) => SPECIES_WORDS[one][1])) + (breeds.length === 0 ? '' : ` (${joined(breeds.map(breedText))})`);
    return [textPart(`Of the ${total} available ${nouns}, ${joined(counts)}. The entry of each pet says so.`)];
  }
  return [];
};
