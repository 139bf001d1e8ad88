/** Matches the number of a section. */
export const SECTION = String.raw`\d+\.\d+(?![.\d]*\d)`;
/** Matches the number of a section or of a chapter. */
export const NUMBER = String.raw`\d+(?:\.\d+)?(?![.\d]*\d)`;
/** Matches the space between two words, including a line break in a comment. */
export const SPACE = String.raw`(?:\s|\n\s*(?:\*|//|#)\s)+`;
/** `contract 4.3`, `contract 4.3 and 5.1`, `contract 4.3, 5.1`, `contract chapter 24`. */
const CITATION = new RegExp(
  `\\bcontract,?${SPACE}(?:(?:chapters?|sections?)${SPACE})?(${NUMBER}(?:(?:,|${SPACE}(?:and|to|or))${SPACE}${NUMBER})*)`,
  'gi',
);

/** A cited section or chapter, and the line of the citation. */
export type Citation = { readonly section: string; readonly line: number };

/** Returns the citations in a text, in their order. */
export const citationsIn = (text: string, pattern: RegExp = CITATION): readonly Citation[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return [...(match[1] ?? match[2] ?? '').matchAll(/\d+(?:\.\d+)?/g)].map(([section]) => ({ section, line }));
  });
