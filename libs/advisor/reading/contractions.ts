/**
 * Contractions that people write without the apostrophe. Spellings that are also other words, such as "ill", "were" and
 * "its", are left out. "thats" becomes "that", because no token ends with `'s`.
 */
const CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  "can't don't isn't won't doesn't didn't hasn't haven't hadn't wasn't weren't aren't wouldn't shouldn't couldn't i'm i've you're they're we've they've you've that's he's she's who's what's where's when's how's there's here's"
    .split(' ')
    .map((word) => [word.replace("'", ''), word.replace(/'s$/, '')]),
);

/** Returns a word in its usual spelling: "can't" for "cant". */
export const withApostrophe = (word: string): string => CONTRACTIONS.get(word) ?? word;
