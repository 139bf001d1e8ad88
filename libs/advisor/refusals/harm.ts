import type { Token } from '../reading/token.js';
import { HARM_CASES, type HarmCase } from './harm-cases.js';

/** Words that turn harm into its prevention or into a report: "stop my dog from biting". */
const PROTECTIVE =
  /^(stop|stops|prevent|prevents|preventing|avoid|avoiding|protect|protecting|without|never|not|don't|dont|won't|can't|cannot|accidentally|accident|afraid|worried|scared|wrong|bad|cruel|illegal|was|were|been|being|instead|against|rescue|rescued|report|reporting|reported|save|safe|safely|danger|dangerous|toxic|poisonous|harmful|didn't|doesn't|isn't|threatens|threatened|wants|tries|tried|plans|saw|seen|heard|witnessed|caught|keep|keeps|keeping|heal|treat)$/;
/** How many words before and after a phrase are read together with it. */
const SCOPE = 7;

/** Returns the case of harm that a text asks for, or null. */
export const harmIn = (tokens: readonly Token[]): HarmCase | null => {
  const words = tokens.map(({ word }) => word);
  return HARM_CASES.find((one) => one.rules.some((rule) => matches(words, rule))) ?? null;
};

/** Whether the words before a phrase turn it into prevention, also in "break up a dog fight" and "my dog got hurt". */
const isProtective = (earlier: readonly string[]): boolean =>
  /^(got|gets)$/.test(earlier.at(-1) ?? '') ||
  earlier.some((word, at) => PROTECTIVE.test(word) || (/^break(s|ing)?$/.test(word) && earlier[at + 1] === 'up'));

/** Words of a message that reports what others do: "Some men run dog fights. Whom do I call?" */
const REPORTING = /^(call|report|police|authorities|protect|stop)$/;
const CUSTOMER = /^(i|i'm|i'd|i've|we|we're|me|us|let's)$/;

const matches = (
  words: readonly string[],
  { verbs, objects, isAlways, before, also = [], isReportable }: HarmCase['rules'][number],
): boolean =>
  words.some((_, at) => {
    const length = phraseAt(words, at, verbs);
    if (length === 0) return false;
    const earlier = clauseBefore(words, at);
    const isReport =
      isReportable && words.some((word) => REPORTING.test(word)) && !sentenceAround(words, at).some((word) => CUSTOMER.test(word));
    if (isReport && !/^(how|where|can|could)$/.test(earlier[0] ?? '')) return false;
    if (!isAlways && isProtective(earlier)) return false;
    if (before && !earlier.some((word) => before.has(word))) return false;
    if (also.some((group) => !sentenceAround(words, at).some((word) => group.has(word)))) return false;
    // "I would kill for a beagle" harms nobody.
    if (words[at + length] === 'for') return objects === null;
    return objects === null || hasObject(words, at + length, objects);
  });

const phraseAt = (words: readonly string[], at: number, phrases: ReadonlyMap<string, readonly (readonly string[])[]>): number =>
  phrases.get(words[at] ?? '')?.find((phrase) => phrase.every((word, nth) => words[at + nth] === word))?.length ?? 0;

/** Returns up to SCOPE words before a position, not beyond the beginning of the sentence. */
const clauseBefore = (words: readonly string[], at: number): readonly string[] => {
  const earlier = words.slice(Math.max(0, at - SCOPE), at);
  return earlier.slice(earlier.findLastIndex((word) => /^[.!?;\n]$/.test(word)) + 1);
};

/** Returns the words around a position that are in the same sentence. */
const sentenceAround = (words: readonly string[], at: number): readonly string[] => [
  ...clauseBefore(words, at),
  ...untilEnd(words.slice(at, at + 2 * SCOPE)),
];

const untilEnd = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex((word) => /^[.!?;\n]$/.test(word));
  return end < 0 ? words : words.slice(0, end);
};

const hasObject = (words: readonly string[], from: number, objects: ReadonlySet<string>): boolean => {
  for (const word of words.slice(from, from + SCOPE)) {
    if (/^[.!?;\n]$/.test(word)) return false;
    if (NO_VICTIMS.has(word)) return false;
    if (objects.has(word)) return true;
    if (/^(not|never|don't|dont|stop|without|from)$/.test(word)) return false;
  }
  return false;
};

/** Objects that are not victims. "Kill the fleas of my dog" is no harm, because the verb is about the fleas. */
const NO_VICTIMS: ReadonlySet<string> = new Set(
  'flea fleas tick ticks worm worms mite mites lice louse bacteria virus viruses weeds time smell odor odour germs parasite parasites feelings budget mood interest chances photo photos picture pictures video videos film hunger boredom appetite stain stains'.split(
    ' ',
  ),
);
