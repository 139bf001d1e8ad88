/** A part of a text that says what helps: words, or a command to type. */
export type RemedyPart = { readonly text: string; readonly isCommand: boolean };

/** A command goes up to the punctuation or the "and", "or" or "then" that ends it. */
const COMMAND = /petstore [a-z](?:(?!,|;|"|\)|\.(?:\s|$)| (?:and|or|then) ).)*/g;

/** Returns the parts of a text, so that its commands can stand out. */
export const remedyParts = (text: string): readonly RemedyPart[] => {
  const parts: RemedyPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(COMMAND)) {
    if (index > end) parts.push({ text: text.slice(end, index), isCommand: false });
    parts.push({ text: found.trimEnd(), isCommand: true });
    end = index + found.trimEnd().length;
  }
  return end < text.length ? [...parts, { text: text.slice(end), isCommand: false }] : parts;
};
