/** Returns the words and numbers of a text in lower case. The number `1,250.00` is returned as `1250`. */
export const wordsOf = (text: string): readonly string[] =>
  (
    text
      .toLowerCase()
      .replaceAll(/(?<=\d),(?=\d{3})/g, '')
      .match(/\p{L}+|\d+(?:\.\d+)?/gu) ?? []
  ).map((word) => word.replace(/\.00$/, ''));

/** Returns the words of a text as one line, with a space before and after each word. `hasWords` searches in such a line. */
export const lineOfWords = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** Returns whether a line of words has these words one after the other. */
export const hasWords = (line: string, words: string): boolean => {
  const sought = lineOfWords(words);
  return sought.trim() !== '' && line.includes(sought);
};
