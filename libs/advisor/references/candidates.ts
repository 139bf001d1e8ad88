import type { ReadMessage } from '../reading/conversation.js';
import { isCapitalised, isWord, type Token } from '../reading/token.js';
import { PREFERENCE_BOOK } from '../words/books.js';
import { isCommonWord } from '../words/common-words.js';

/** The maximum number of possible names in a conversation, because the catalogue looks up each of them. */
const MOST_NAMES = 50;
/** The maximum number of words of a name. */
const LONGEST_NAME = 3;
/** Words that may come before a name. After one of them, even a word of a preference, such as "ginger", can be a name. */
const CUES: ReadonlySet<string> = new Set([
  'about',
  'named',
  'called',
  'meet',
  'not',
  'and',
  'or',
  'vs',
  'versus',
  'with',
  'compare',
  'is',
  'for',
  'does',
  'of',
  'than',
  'saw',
  'seen',
  'see',
  'love',
  'adopt',
]);

/** Returns the texts of a conversation that may be names of pets, those of the newest messages first. */
export const possibleNames = (messages: readonly ReadMessage[]): readonly string[] => {
  const names = new Set<string>();
  for (let at = messages.length - 1; at >= 0 && names.size < MOST_NAMES; at--) {
    const { role, tokens } = messages[at];
    if (role !== 'SYSTEM') for (const name of namesIn(tokens, role === 'USER')) if (names.size < MOST_NAMES) names.add(name);
  }
  return [...names];
};

const namesIn = (tokens: readonly Token[], mayBeLowerCase: boolean): readonly string[] =>
  tokens.flatMap((token, at) => {
    if (!isWord(token)) return [];
    if (isCapitalised(token)) return longerNames(tokens, at);
    const isUnknown = mayBeLowerCase && !isCommonWord(token.word) && !PREFERENCE_BOOK(tokens, at);
    return isUnknown || (mayBeLowerCase && CUES.has(tokens[at - 1]?.word ?? '') && !isCommonWord(token.word)) ? [token.word] : [];
  });

/** Returns the possible names that begin at a position: for "Mr. Whiskers" these are "Mr" and "Mr. Whiskers". */
const longerNames = (tokens: readonly Token[], at: number): readonly string[] => {
  const first = tokens[at].text;
  const names = isCommonWord(tokens[at].word) ? [] : [first.replace(/'s$/, '')];
  let name = first;
  for (let next = at + 1, words = 1; words < LONGEST_NAME && next < at + 2 * LONGEST_NAME; next++) {
    const token = tokens[next];
    if (token?.text === '.' && words === 1) name += '.';
    else if (token && isWord(token) && isCapitalised(token)) {
      name += ` ${token.text.replace(/'s$/, '')}`;
      names.push(name);
      words++;
    } else break;
  }
  return names;
};
