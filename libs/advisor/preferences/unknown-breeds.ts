import { isAnimal } from '../dialogue/own-animal.js';
import type { Species } from '../../domain/pets/pet.events.js';
import { isEverydayWord } from '../words/everyday-words.js';
import { isOrdinaryWord } from '../reading/spelling.js';
import type { Sentence } from '../reading/sentence.js';
import { isCapitalised, type Token } from '../reading/token.js';

/** Words for a place, which begin the names of many breeds: "norwegian", "tibetan". */
const OF_PLACE =
  /^(norwegian|swedish|finnish|danish|icelandic|russian|siberian|german|french|spanish|italian|portuguese|belgian|dutch|swiss|irish|scottish|welsh|english|british|american|canadian|alaskan|australian|japanese|chinese|tibetan|indian|turkish|persian|afghan|african|egyptian|arabian|mexican|brazilian|peruvian|himalayan|hungarian|polish|czech|bohemian|bavarian|austrian|greek|romanian|caucasian|korean|thai|vietnamese|cuban|argentine)$/;
/** The maximum number of words before an animal that can belong to its breed. */
const MOST_WORDS = 3;

/**
 * Returns the name of a breed that the advisor does not know, for example "Norwegian Snow Retriever". The words before the animal
 * belong to it if one of them has a capital or is of a place.
 */
export const unknownBreedIn = ({ items, tokens }: Sentence): string | null => {
  for (const [at, { concept, text, isNegated }] of items.entries()) {
    const token = concept === null ? tokenOf(tokens, text) : undefined;
    const isCompound = token !== undefined && compoundSpecies(token.word) !== null;
    if (!(isAnimal(concept) || isCompound) || isNegated) continue;
    let from = at;
    while (from > 0 && at - from < MOST_WORDS && items[from - 1].concept === null && isPart(tokenOf(tokens, items[from - 1].text))) from--;
    const words = items.slice(from, at).map((item) => tokenOf(tokens, item.text));
    const isName = words.some((token) => token && (isStrange(token) || OF_PLACE.test(token.word)));
    if (isName || isCompound)
      return [...words.map((token) => token?.text), ...text.split(' ').map((word) => tokenOf(tokens, word)?.text ?? word)].join(' ');
  }
  return null;
};

/** Endings of the names of breeds: "moonhound", "maltidoodle". */
const ENDINGS: readonly (readonly [ending: RegExp, species: Species])[] = [
  [/^[a-z]{3,}(?:hounds?|doodles?|poos?|terriers?|shepherds?|retrievers?|spaniels?|mastiffs?|dogs?)$/, 'DOG'],
  [/^[a-z]{3,}(?:cats?|coons?)$/, 'CAT'],
];

/** The species of a word that ends like the name of a breed and that is no usual word, or null. */
export const compoundSpecies = (word: string): Species | null =>
  isOrdinaryWord(word) ||
  isEverydayWord(word) ||
  /^(hotdogs?|underdogs?|wildcats?|copycats?|shampoos?|tattoos?|raccoons?|bobcats?|tomcats?|housecats?|lapdogs?|sheepdogs?|watchdogs?|bulldogs?|hellhounds?)$/.test(
    word,
  )
    ? null
    : (ENDINGS.find(([ending]) => ending.test(word))?.[1] ?? null);

const tokenOf = (tokens: readonly Token[], word: string): Token | undefined => tokens.find((token) => token.word === word);
const isStrange = (token: Token): boolean => isCapitalised(token) && !isOrdinaryWord(token.word);
const isPart = (token: Token | undefined): boolean =>
  token !== undefined &&
  /^[a-z]/.test(token.word) &&
  (isCapitalised(token) || OF_PLACE.test(token.word) || !isOrdinaryWord(token.word)) &&
  !/^(hi|hello|hey|i|dear|please|i'm)$/.test(token.word);
