import { spacedWords } from '../reading/token.js';
import { STAGE_MONTHS, NO_PREFERENCES, type Preferences } from '../preferences/preferences.js';
import { aspectsIn } from '../suiting/aspects-in.js';
import { SPECIES, type Species } from '../../domain/pets/pet.events.js';
import { animalOf } from '../dialogue/own-animal.js';
import type { Catalogue, CataloguePet } from '../catalogue.js';
import { causesIn, hasAllergy } from '../dialogue/allergy.js';
import { wantsSimilarAge } from '../dialogue/companion.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { asksTaste } from '../dialogue/purposes.js';
import { breedsIn, searchPets, type Matches } from '../matching/search.js';
import { nextQuestion, OWN_AGE_QUESTION } from '../wording/ask.js';
import { breedText, criteriaText, joined, unrecordedText } from '../wording/criteria.js';
import { stillFit, sumText } from '../wording/details.js';
import { plainText, priceText, SPECIES_WORDS } from '../wording/pet-facts.js';
import { topicsIn } from '../reading/topics-in.js';
import { isOfBreed } from '../matching/fit.js';
import { lowestRank } from '../suiting/fitness.js';
import { asksVerdict, comparesKinds, kindsOfAll } from '../suiting/suits.js';
import { nearestTo } from '../words/breed-groups.js';
import { leadText } from './superlative-answer.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import { countText, noSuchAnimal, recommendation, unknownBreedText } from '../wording/recommend.js';
import { PET_WORDS } from '../words/animals.js';
import type { Kind } from '../words/concept.js';

const ANIMALS: ReadonlySet<Kind> = new Set<Kind>(['species', 'breed', 'stage', 'animal', 'order']);
/** The maximum number of tokens, without GREETINGS, of a question that names no animal and still looks for pets: "What do you have?" */
const LONGEST_OPEN_QUESTION = 7;

/** Words that say nothing about what a message looks for. They do not count for LONGEST_OPEN_QUESTION. */
const GREETINGS = /^(hi|hello|hey|there|good|morning|afternoon|evening|please|today|now|,|!|\.)$/;

const ONLY_AVAILABLE = 'I only offer pets that are available now. To ask about another pet, name it.';
const CLOSINGS = [
  'I can say more about one of them, or compare them.',
  'Name one of them for more details, or two of them for a comparison.',
] as const;

const IDEAS = /^(suggest|suggestion|suggestions|recommend|recommendation|recommendations|idea|ideas|advise|options)$/;

/** Whether a short message asks for suggestions: "Any ideas?", "What do you suggest then?" */
export const asksForIdeas = (tokens: Dialogue['tokens']): boolean =>
  tokens.length <= LONGEST_OPEN_QUESTION + 2 && tokens.some(({ word }) => IDEAS.test(word));

/** Words of a customer who wants to know how many there are, or to see all of them. */
const ASKS_COUNT =
  / (?:how many|number of|(?:show|see|list|give|got|have|are|with) (?:me )?all (?:the |your |of your |available |of the )?(?!day|the time|my|our|of (?:them|these|those)|these|those|them)|all your (?!own)|every single|complete list|full list|list of (?:all|every|the|your)) ?/;

/** Words of a customer who leaves the choice to the advisor. */
const LEAVES_CHOICE =
  / (?:surprise me|you (?:choose|pick|decide)|(?:pick|choose|find|show|give|get) (?:me |us )?(?:one|something|anything|some|a pet|any pet|a random)(?: pet| one| animal)?(?: for me| for us)?|(?:just )?show me (?:what you have|what you got|your pets|pets|animals|everything)|random (?:one|pet|animal)|your (?:best|top) (?:pet|pets|pick|animal)|whatever you (?:have|like|think)|i don't care (?:which|what)|anything is fine|something (?:nice|good|fun|lovely|great)) /;

const TASTE = 'That is a matter of taste, and I have no eyes: the photos are in the catalogue.';

/** A wish without a verb: "a pet for a small room", "any animals that like water?" */
const NAMES_WISH =
  /^ (?:hi |hello |hey |ok |and |so |please |pls )*(?:(?:i|we) (?:want|need|would like|am looking for) )?(?:(?:a|an|any|some|which|what) (?:[a-z]+ )?(?:pets?|animals?)|something|anything) (?:i|we|for|that|who|which|with|born|in|would|could|can|is|are|do|does) /;

/** "What is the closest then?" asks for the pets that come closest to what the conversation looks for. */
const ASKS_CLOSEST = / (?:closest|nearest|next best|most similar|something similar|similar ones?|comes? close|close enough) /;

/** Whether the last message looks for pets. */
const isSearch = ({ sentences, tokens, hasNewPreferences, referred, preferences }: Dialogue): boolean => {
  // "What is the difference between a cat and a dog?" looks for none of them.
  const isOnlyComparing =
    / (?:difference|differences|differ|differs) /.test(spacedWords(tokens)) &&
    comparesKinds(sentences) &&
    !sentences.some(({ items }) =>
      items.some(({ concept, text }) => concept?.kind === 'want' || (concept?.kind === 'query' && text !== 'which')),
    );
  if (isOnlyComparing) return false;
  if (hasNewPreferences || referred.refused.length > 0) return true;
  if (asksForIdeas(tokens) && preferences.settled.length + preferences.aspects.length > 0) return true;
  if (ASKS_CLOSEST.test(spacedWords(tokens)) && preferences.species.length > 0) return true;
  const concepts = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => (concept ? [concept.kind] : [])));
  if (concepts.includes('more')) return true;
  if (LEAVES_CHOICE.test(spacedWords(tokens)) || asksTaste(tokens)) return true;
  if (NAMES_WISH.test(spacedWords(tokens)) && topicsIn(tokens).length === 0) return true;
  if (!concepts.includes('want') && !concepts.includes('query')) return false;
  const words = tokens.filter(({ word }) => !GREETINGS.test(word));
  const namesAnimals = concepts.some((kind) => ANIMALS.has(kind)) || tokens.some(({ word }) => PET_WORDS.has(word));
  return (
    namesAnimals ||
    (concepts.includes('query') &&
      words.length <= LONGEST_OPEN_QUESTION &&
      words.some(({ word }) => /^(have|got|available|stock|browse|offer)$/.test(word)))
  );
};

/** Whether the last message tells of an allergy, and of no animal that causes it or that is wanted in spite of it. */
export const lacksCause = ({ sentences, preferences, before }: Dialogue): boolean =>
  sentences.some(hasAllergy) &&
  (['species', 'notSpecies', 'breeds', 'notBreeds'] as const).every((one) => preferences[one].join() === before[one].join());

/** Looks for what comes closest to an animal that the catalogue has no species for: bearded dragons for "dragons". */
const withNearest = (preferences: Preferences): Preferences => {
  const near = preferences.species.length > 0 ? [] : preferences.otherAnimals.flatMap((animal) => nearestTo(animal) ?? []);
  const species = [...new Set(near.map((one) => one.species))].filter((one) => !preferences.notSpecies.includes(one));
  return species.length === 0 ? preferences : { ...preferences, species, breeds: near.flatMap(({ breeds }) => breeds) };
};

/** Many people find young animals the nicest, so these come first. */
const withTaste = (isOfTaste: boolean, preferences: Preferences): Preferences =>
  !isOfTaste || preferences.age.min !== undefined || preferences.age.max !== undefined
    ? preferences
    : { ...preferences, age: STAGE_MONTHS.BABY };

const INSTEAD = / (?:instead|alternatives?|else|suggest|recommend|other ideas?|better options?) /;

const DOUBTS = / (?:idea|silly|crazy|mad|stupid|daft|dumb|unrealistic|possible|realistic|sensible|advisable|be happy) /;

/** Whether a message asks if an animal is sensible beside a small child that it does not fit with. */
const isRefused = (asked: Dialogue['sentences'], { aspects }: Preferences): boolean =>
  asked.length > 0 &&
  kindsOfAll(asked).every((kind) => aspects.some((aspect) => (aspect === 'toddler' || aspect === 'child') && kind.rank(aspect) === 0));

/**
 * Looks for other animals if the guide advises against the one that the message asks about: "is a dog a bad idea? What would you
 * suggest instead?"
 */
const withAlternatives = ({ sentences, tokens }: Dialogue, preferences: Preferences): Preferences => {
  const asked = sentences.filter(asksVerdict);
  const kinds = kindsOfAll(asked);
  const isBad = kinds.length > 0 && kinds.every((kind) => lowestRank(kind, preferences.aspects) === 0);
  if (
    !isBad ||
    !(
      isRefused(asked, preferences) ||
      INSTEAD.test(spacedWords(tokens)) ||
      asked.some(({ tokens: words }) => DOUBTS.test(spacedWords(words)))
    )
  )
    return preferences;
  const { notSpecies, notBreeds, breeds } = preferences;
  // Another dog may suit where a husky does not.
  if (kinds.every(({ base, name }) => base !== name)) return { ...preferences, breeds: [], notBreeds: [...notBreeds, ...breeds] };
  return { ...preferences, species: [], breeds: [], notSpecies: [...new Set([...notSpecies, ...kinds.map(({ species }) => species)])] };
};

/** Searches for pets and asks for a missing preference. Returns no parts if the last message does not look for pets. */
export const searchParts = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  if (!isSearch(dialogue)) return [];
  const { askedFor, before, tokens, sentences } = dialogue;
  const isOfTaste = asksTaste(dialogue.tokens) && !dialogue.sentences.some((one) => aspectsIn(one).length > 0);
  if (isOfTaste && dialogue.shown.length > 0 && dialogue.preferences.species.join() === dialogue.before.species.join())
    return [textPart(`${TASTE} Of what I showed, take the one that you like to look at.`)];
  const preferences = withTaste(isOfTaste, withAlternatives(dialogue, withNearest(dialogue.preferences)));
  if (lacksCause(dialogue)) return [];
  if (wantsCauses(dialogue)) return [textPart(CAUSES_WANTED)];
  const lacksAge = wantsSimilarAge(sentences) && preferences.age.near === undefined;
  const question = lacksAge ? OWN_AGE_QUESTION : nextQuestion(preferences, askedFor, style.choose);
  const animals = preferences.otherAnimals.length > 0 ? [textPart(noSuchAnimal(preferences, preferences !== dialogue.preferences))] : [];
  const questions = question ? [textPart(question)] : [];
  const closing = question || style.isShort ? questions : [textPart(style.choose('closing', CLOSINGS))];
  if (animals.length > 0 && preferences.species.length === 0 && !INSTEAD.test(spacedWords(tokens))) return [...animals, ...questions];
  // "Which is the cheapest?" and "how many dogs do you have?" are answered, and need no question back.
  const isComplete = ASKS_COUNT.test(spacedWords(tokens)) || ordersNow(dialogue);
  const isCount = ASKS_COUNT.test(spacedWords(tokens));
  const { fallback } = preferences;
  const first = await searchPets(catalogue, preferences, { limit: style.limit, isCounting: isCount });
  const isSecond = fallback !== undefined && first.count === 0;
  const matches = isSecond ? await searchPets(catalogue, fallback, { limit: style.limit, isCounting: isCount }) : first;
  const found = isSameAsBefore(dialogue, matches, style)
    ? stillFit(dialogue.shown, criteriaText(preferences))
    : recommendation(matches, isSecond ? fallback : preferences, style);
  const leads = isSecond || found.pets.length === 0 ? [] : orderLeads(dialogue, matches);
  const prices = found.pets.length === 0 ? [] : await priceParts(dialogue, isSecond ? fallback : preferences, catalogue);
  const absent = await absentBreeds(dialogue, matches, catalogue);
  const isFound = isSecond || first.fits.length + first.uncompared.length > 0;
  const { unknownBreed } = preferences;
  const strange =
    unknownBreed !== undefined && before.unknownBreed !== unknownBreed ? [textPart(unknownBreedText(unknownBreed, preferences))] : [];
  const second = isSecond ? [textPart(`No available pet meets your first choice: ${criteriaText(preferences)}.`)] : [];
  const traits = unrecordedText(
    preferences.unrecorded.filter((trait) => !before.unrecorded.includes(trait) && !(isOfTaste && trait === 'looks')),
  );
  const isAboutGone = tokens.some(({ word }) => /^(adopted|sold|reserved|unavailable)$/.test(word));
  return [
    ...(isAboutGone ? [textPart(ONLY_AVAILABLE)] : []),
    ...(isOfTaste ? [textPart(`${TASTE} Many people like young animals best.`)] : []),
    ...animals,
    ...fearParts(dialogue),
    ...(isCount ? [textPart(countText(matches, preferences))] : []),
    ...(asksMany(tokens) && found.pets.length > 0 ? [textPart('I show a few at a time; the whole list is in the catalogue.')] : []),
    ...((isCount && tokens.some(({ word }) => word === 'each')) || ASKS_MORE.test(spacedWords(tokens))
      ? [textPart(await countsOfSpecies(catalogue))]
      : []),
    ...(ASKS_KINDS.test(spacedWords(tokens)) ? kindsParts(matches, await breedsIn(catalogue, preferences.species)) : []),
    ...strange,
    ...absent,
    ...second,
    ...leads,
    ...prices,
    found,
    ...allergyReminder(dialogue, found),
    ...(traits ? [textPart(traits)] : []),
    ...(isComplete || !isFound ? [] : found.pets.length > 1 ? closing : questions),
  ];
};

/** Reminds of the allergy that an earlier message told of, beside pets that can cause it. */
const allergyReminder = ({ allergicTo }: Dialogue, { pets }: Part): readonly Part[] => {
  const species = [...new Set(pets.map((pet) => pet.species))].filter((one) => allergicTo.includes(one));
  if (species.length === 0) return [];
  const nouns = joined(
    species.map((one) => SPECIES_WORDS[one][0]),
    'or',
  );
  return [
    textPart(
      `You told me of an allergy. No ${nouns} is free of allergens: meet the animal several times, and ask a doctor, before you apply.`,
    ),
  ];
};

/** What is said instead of a list if the customer is allergic to each of the animals that the message chooses between. */
const CAUSES_WANTED =
  'So I list none of them yet. Spend some time with both kinds first, and talk to a doctor. Tell me which of them you want to look at, and I show you some.';

/** Whether a message chooses between animals to which it tells of an allergy: "dog or cat? I am allergic to both". */
const wantsCauses = ({ sentences, allergicTo }: Dialogue): boolean => {
  const causes = [...allergicTo, ...sentences.filter(hasAllergy).flatMap(causesIn)];
  const kinds = kindsOfAll(sentences);
  return sentences.some(hasAllergy) && kinds.length > 1 && kinds.every(({ species }) => causes.includes(species));
};

const FEARS = / (?:afraid|scared|terrified|frightened|fear|phobia) (?:of )?/;

/** What to think of if somebody of the home is afraid of the animal that the message wants. */
const fearParts = ({ sentences, tokens }: Dialogue): readonly Part[] => {
  const animals = (isNegated: boolean): readonly Species[] =>
    sentences.flatMap(({ items }) =>
      items.flatMap((item) => (item.isNegated === isNegated ? (animalOf(item.concept)?.species ?? []) : [])),
    );
  const [feared] = FEARS.test(spacedWords(tokens)) ? animals(true).filter((one) => animals(false).includes(one)) : [];
  if (feared === undefined) return [];
  const [one, many] = SPECIES_WORDS[feared];
  return [
    textPart(
      `Somebody with you is afraid of ${many}, so I show others first. If you still want a ${one}: meet a small, calm, adult one together, several times, and let the frightened person set the pace.`,
    ),
  ];
};

/** Says what the pets that meet the preferences cost, if the last message asks for the price of a kind. */
const priceParts = async ({ tokens, sentences }: Dialogue, preferences: Preferences, catalogue: Catalogue): Promise<readonly Part[]> => {
  if (!ASKS_PRICE.test(spacedWords(tokens)) || kindsOfAll(sentences).length === 0 || ordersAny(sentences)) return [];
  const ends = await Promise.all(
    (['cheapest', 'dearest'] as const).map(async (order) => {
      const { fits } = await searchPets(
        catalogue,
        { ...preferences, aspects: [], wishes: [], order, isOrderSoft: false },
        { limit: 1, isCounting: false },
      );
      return fits[0];
    }),
  );
  const [low, high] = ends.map((pet) => pet && priceText(pet));
  if (!low || !high) return [];
  const count = COUNTS.find(([words]) => words.test(spacedWords(tokens)))?.[1] ?? 0;
  const { fits } = await searchPets(
    catalogue,
    { ...preferences, aspects: [], wishes: [], order: 'cheapest', isOrderSoft: false },
    { limit: count, isCounting: false },
  );
  const several = fits.slice(0, count);
  const sum = count > 1 && several.length === count ? sumText(several) : null;
  const text = low === high ? `They cost ${low}.` : `They cost from ${low} to ${high}.`;
  return sum === null ? [textPart(text)] : [{ text: `${text} ${sum}`, pets: several }];
};
/** How many animals a message names. */
const COUNTS: readonly (readonly [words: RegExp, count: number])[] = [
  [/ (?:two|2|a pair of|both) /, 2],
  [/ (?:three|3) /, 3],
];
const ASKS_PRICE =
  / (?:how much (?:is|are|for|do|does|would|will)|what (?:do|does|would|will) (?:[^ ]+ ){1,5}cost|what (?:is|are) the (?:price|prices)|price of|prices? for|cost of|how expensive) (?:[^ ]+ ){0,8}/;
const ordersAny = (sentences: Dialogue['sentences']): boolean =>
  sentences.some(({ items }) => items.some(({ concept }) => /^(order|relative)$/.test(concept?.kind ?? '')));

const ASKS_MORE =
  / (?:which|what) (?:of (?:them |those )?)?(?:do you have|have you got|you have|you got|are there) (?:the )?(?:more|most|fewer|least|fewest) (?:of)? ?| more (?:cats|dogs) or (?:more )?(?:cats|dogs) /;

/** Whether a message wants a longer list than an answer has: "list all dogs", "the 5 youngest cats". */
const asksMany = (tokens: Dialogue['tokens']): boolean =>
  / (?:list of (?:all|every)|list all|show (?:me )?all|every single|(?:complete|full) list|(?:show|give|list|name)(?: me)? (?:the |your )?(?:[4-9]|[1-9][0-9]|four|five|six|seven|eight|nine|ten) (?!to|and|or|-|month|year|week|hundred|dollar|usd|euro)) ?/.test(
    spacedWords(tokens),
  );

/** Whether the last message has a superlative: "the cheapest dog". */
const ordersNow = ({ preferences: { order, isOrderSoft }, sentences }: Dialogue): boolean =>
  order !== undefined && !isOrderSoft && sentences.some(({ items }) => items.some(({ concept }) => concept?.kind === 'order'));

/** The sentence before a list for a superlative: "The cheapest is Leo: 80.00 USD." */
const orderLeads = (dialogue: Dialogue, { fits }: Matches): readonly Part[] => {
  const { order } = dialogue.preferences;
  const lead = order !== undefined && ordersNow(dialogue) ? leadText(fits, order) : null;
  return lead === null ? [] : [textPart(lead)];
};

/** Whether the customer wants nothing but breeds. */
const isOnlyBreed = (preferences: Preferences): boolean => criteriaText({ ...preferences, species: [], breeds: [] }) === '';

/** Names the breeds that the last message asks for and that no available pet has. */
const absentBreeds = async (
  { preferences, before }: Dialogue,
  { fits, uncompared }: Matches,
  catalogue: Catalogue,
): Promise<readonly Part[]> => {
  const { breeds, species } = preferences;
  const unseen = breeds.filter((breed) => !before.breeds.includes(breed) && ![...fits, ...uncompared].some((pet) => isOfBreed(pet, breed)));
  const counts = await Promise.all(
    unseen.map(async (breed) => {
      const { count } = await searchPets(catalogue, { ...NO_PREFERENCES, species, breeds: [breed] }, { limit: 1, isCounting: false });
      return count === 0 ? [breed] : [];
    }),
  );
  const absent = counts.flat();
  // A list of the closest pets begins with what none of them is.
  const isSaid = fits.length + uncompared.length === 0 && isOnlyBreed(preferences);
  return isSaid || absent.length === 0 ? [] : [textPart(`The catalogue has no ${joined(absent.map(breedText), 'or')} at the moment.`)];
};

/** Whether the search finds exactly what was shown last, so that the same list would be repeated. */
const isSameAsBefore = ({ shown, preferences, before }: Dialogue, { fits, uncompared }: Matches, { limit }: Style): boolean => {
  const found: readonly CataloguePet[] = [...fits, ...uncompared].slice(0, limit);
  return found.length > 0 && before !== preferences && found.length === shown.length && found.every(({ id }, nth) => shown[nth].id === id);
};

/** Says how many pets of each species are available. */
const countsOfSpecies = async (catalogue: Catalogue): Promise<string> => {
  const counts = await Promise.all(SPECIES.map(async (one) => [one, (await catalogue.available({ species: [one] }, 1)).total] as const));
  return `Of each: ${counts.map(([one, total]) => `${SPECIES_WORDS[one][1]} ${total}`).join(', ')}.`;
};

/** "What breeds of cats do you have?" */
const ASKS_KINDS =
  / (?:what|which|all|list) (?:the |your )?(?:different )?(?:breeds?|kinds?|types?|sorts?|races?) (?:of |do |are |have |you |$)/;
/** The maximum number of kinds that an answer lists. */
const MOST_LISTED = 20;

const kindsParts = ({ count }: Matches, kinds: readonly string[]): readonly Part[] =>
  count === 0 || kinds.length === 0
    ? []
    : [textPart(`The catalogue has these kinds: ${joined(kinds.slice(0, MOST_LISTED).map(plainText))}.`)];
