const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Words that state nothing about a pet, so they need no citation. Words that compare, such as `than` and `over`, are left out,
 * because they change the meaning of a number. Single letters are parts of contractions, as in `don't`.
 */
export const NEUTRAL_WORDS: ReadonlySet<string> = new Set(
  wordsIn(`
    a an the this that these those and or but so if as at by for from in of on to with about because also too very just
    still already again here there where when what which who how why i you we me us my your our he she it they him
    her them his its their s t m re ve ll d is are am was be do does did don doesn isn aren has have had hasn haven
    will would can could may might should not no none any some yes sure hello hi welcome unfortunately however
    pet name named called store shop catalog staff matches fit fits suit suits meet visit like want look looking
    found find ask tell know say says write writes note notes describe describes described description please sorry
    thanks help question choose choice option consider see show let currently now today
  `),
);

/** Besides NEUTRAL_WORDS, the words that are allowed in a sentence that has no citation and mentions no pet. */
export const GENERAL_WORDS: ReadonlySet<string> = new Set(
  wordsIn(`
    other another each every all both only must been pets one ones more most match matching listed available adopt
    adoption apply application search searched details information questions options hope helps happy glad moment next
    size age breed species price budget kind home family children child prefer interested names
  `),
);

/** Words that may begin a sentence with general advice. */
export const WORDS_OF_ADVICE: readonly string[] = wordsIn(`
  nothing everyone dog cat rabbit bird reptile puppy kitten dogs cats rabbits birds reptiles
`);

/** Further words that are allowed in a sentence if every pet that it cites is AVAILABLE. */
export const WORDS_OF_AVAILABLE: readonly string[] = wordsIn('available adopt adoption apply');

/** Further words that are allowed in a sentence without a citation, as in "Would you like more details about them?". */
export const WORDS_OF_OFFERS: readonly string[] = wordsIn('more details any all');

/** Words that a citation of a field supports, in addition to the cited value and the words in the name of the field. */
export const WORDS_OF_FIELD: Readonly<Record<string, readonly string[]>> = {
  ageMonths: wordsIn('age aged month months old'),
  price: wordsIn('price priced cost costs'),
  size: ['sized'],
  goodWithKids: wordsIn('child children family families'),
};
