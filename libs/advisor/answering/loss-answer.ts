import type { Dialogue } from '../dialogue/dialogue.js';
import { asksForPets } from '../dialogue/sentence-kinds.js';
import { animalOf } from '../dialogue/own-animal.js';
import { MISSING_ANIMAL, MISSING_SMALL } from '../guide/general.js';
import { sectionOf, sectionText } from '../guide/care.js';
import { lossIn } from '../reading/loss.js';
import { spacedWords } from '../reading/token.js';
import { textPart, type Part, type Style } from '../wording/part.js';

const SORRY = ['I am sorry for your loss.', 'I am very sorry for your loss.'] as const;
const OFFER =
  'A loss like this leaves a big gap, so take the time that you need. If you want to look at pets at some point, tell me which kind. I look with you, without hurry.';

const NOT_YET =
  / (?:(?:not|don't|do not|dunno|if|whether) (?:[^ ]+ ){0,5}ready|am i ready|are we ready|too? (?:early|soon)|right time|(?:still|already) (?:grieving|mourning)|(?:disloyal|unfair|wrong) to (?:him|her|it|them|get)|(?:should|shall) (?:i|we) wait|how long (?:should|shall|do) (?:i|we|people|you) wait|replace (?:him|her|it|them)|(?:is it|would it be|am i|are we|feels?) (?:[^ ]+ ){0,2}(?:wrong|bad|selfish|okay|ok|fair|crazy|early|soon) (?:[^ ]+ ){0,6}(?:another|new|kitten|puppy|already|again)|betray[a-z]*|feels? guilty) /;
const WHEN_READY =
  'Nobody but you can say when it is time, and nothing has to be decided now. Many people wait until they look forward to another animal for its own sake, not to fill the gap. It never replaces the one that you lost. If you want to look one day, tell me which kind, and I look with you.';

const FAREWELL =
  'I am sorry that you have to part. Be with it, quietly, in a place that it knows, and talk to it. A vet can take away its pain, and many come to your home. Let everybody of the family say goodbye, the children too, and take the time that you need.';

/** Whether the last message looks for pets or asks something, besides what it tells about a loss. */
const hasMore = ({ sentences }: Dialogue): boolean =>
  sentences.some(
    ({ items, isQuestion }) => isQuestion || items.some(({ concept }) => concept?.kind === 'want' || concept?.kind === 'query'),
  );

const LEFT_ALONE =
  / (?:other|second|remaining|partner|companion|friend|buddy|sister|brother) (?:[^ ]+ ){0,4}(?:alone|lonely|sad|grieving|depressed) /;

/** What the guide says about company, if an animal is left alone by the death of its companion. */
const companyOf = ({ sentences, tokens }: Dialogue): string | null => {
  const [animal] = sentences.flatMap(({ items }) => items.flatMap(({ concept }) => animalOf(concept) ?? []));
  if (!LEFT_ALONE.test(spacedWords(tokens)) || !animal) return null;
  const section = sectionOf('company', animal.species);
  return (
    section &&
    `Animals miss a companion, too: stay close, and keep its usual times. ${sectionText(section, false)} Tell me if you want to look for a new companion.`
  );
};

/** Whether a hamster or the like is meant. It is most probably still in the home. */
const isSmall = ({ sentences }: Dialogue): boolean =>
  sentences.some(({ items }) => items.some(({ concept }) => /^(OTHER|REPTILE)$/.test(animalOf(concept)?.species ?? '')));

/**
 * Answers a message about an animal or a person that died, or about an animal that ran away. `parts` is the answer to the rest of
 * the message. It is dropped if the message tells of nothing but the loss.
 */
export const lossParts = (dialogue: Dialogue, parts: readonly Part[], { choose, isShort }: Style): readonly Part[] => {
  const loss = lossIn(dialogue.tokens);
  if (loss === null) return parts;
  if (loss === 'missing') return [textPart(`I am sorry. ${sectionText(isSmall(dialogue) ? MISSING_SMALL : MISSING_ANIMAL, isShort)}`)];
  const sorry = choose('sorry', SORRY);
  if (
    NOT_YET.test(spacedWords(dialogue.tokens)) &&
    !dialogue.sentences.some(({ items }) => items.some(({ concept }) => concept?.kind === 'query'))
  )
    return [textPart(`${sorry} ${WHEN_READY}`)];
  const text = spacedWords(dialogue.tokens);
  const isOver = / (?:yesterday|ago|last (?:week|night|month|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|passed|died) /.test(text);
  if (!isOver && / say (?:goodbye|good bye|farewell) | dying /.test(text)) return [textPart(FAREWELL)];
  const left = companyOf(dialogue);
  if (left !== null) return [textPart(`${sorry} ${left}`)];
  // Pets are offered to somebody who grieves only if they are asked for.
  const rest = hasMore(dialogue) ? (dialogue.sentences.some(asksForPets) ? parts : parts.filter(({ pets }) => pets.length === 0)) : [];
  return rest.length > 0 ? [textPart(sorry), ...rest] : [textPart(`${sorry} ${OFFER}`)];
};
