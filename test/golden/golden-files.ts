import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The command that accepts additions: it writes golden files that are missing or have new members. It accepts no other change. */
export const ACCEPT_COMMAND = 'npm run accept';

/** The folder of the golden files. Their names are relative to it. */
export const GOLDEN = new URL('.', import.meta.url);

/** A difference between a golden file and the code. */
export type GoldenChange = {
  /** The golden file that has to be written if the change is accepted, for example `messages/PetListed.json`. */
  readonly file: string;
  /** What breaks readers of the golden file, each with its remedy. None: the change can be accepted. */
  readonly breaks: readonly string[];
  /** What is new, for example `data.details.nickname`. */
  readonly additions: readonly string[];
  /** The text of the file with the change. */
  readonly text: string;
};

/** How members differ, as paths: `data.details.color`. */
export type MemberDifference = { readonly added: readonly string[]; readonly changed: readonly string[] };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/**
 * Compares two JSON values. `added` has the members of `after` that `before` lacks. `changed` has those that are removed or have
 * another value, among them lists with more or fewer items.
 */
export const compareMembers = (before: unknown, after: unknown, path = ''): MemberDifference => {
  const isComparable = isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after);
  if (!isComparable || (Array.isArray(before) && Array.isArray(after) && before.length !== after.length))
    return { added: [], changed: JSON.stringify(before) === JSON.stringify(after) ? [] : [path] };
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const parts = Object.keys(before).map((name) =>
    name in after ? compareMembers(before[name], after[name], at(name)) : { added: [], changed: [at(name)] },
  );
  const added = Object.keys(after).filter((name) => !(name in before));
  return { added: [...parts.flatMap((part) => part.added), ...added.map(at)], changed: parts.flatMap(({ changed }) => changed) };
};

/** Returns the content of a golden file, or undefined if the file is missing. */
export const readGolden = (file: string, folder = GOLDEN): unknown => {
  const url = new URL(file, folder);
  return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as unknown) : undefined;
};

/** Returns the text of a golden file with this content. */
export const goldenText = (content: unknown, indent = 2): string => `${JSON.stringify(content, null, indent)}\n`;

/**
 * Compares a golden file with the value that the code produces now. Returns null if they are equal. `remedy` says what to do instead of
 * removing or changing a member.
 */
export const goldenChange = (file: string, current: unknown, remedy: string, folder = GOLDEN): GoldenChange | null => {
  const golden = readGolden(file, folder);
  const text = goldenText(current);
  if (golden === undefined) return { file, breaks: [], additions: ['the file'], text };
  const { added, changed } = compareMembers(golden, JSON.parse(text));
  if (added.length + changed.length === 0) return null;
  return { file, breaks: changed.map((member) => `${member} has changed or is gone. ${remedy}`), additions: added, text };
};

/** Throws an error that names what has changed, with the command that accepts it or the remedy. */
export const assertAccepted = (change: GoldenChange | null): void => {
  if (change === null) return;
  const { file, breaks, additions } = change;
  if (breaks.length > 0) throw new Error(breaks.map((line) => `test/golden/${file}: ${line}`).join('\n'));
  throw new Error(`test/golden/${file}: new: ${shownList(additions)}. To accept it, run: ${ACCEPT_COMMAND}`);
};

/** Returns the content of a golden file. Throws an error with ACCEPT_COMMAND if the file is missing. */
export const requireGolden = (file: string): unknown => {
  const golden = readGolden(file);
  if (golden === undefined) throw new Error(`test/golden/${file} is missing. To write it, run: ${ACCEPT_COMMAND}`);
  return golden;
};

/** Longer lists of additions are cut in messages. */
const MAX_SHOWN = 3;

const shownList = (additions: readonly string[]): string => {
  const rest = additions.length - MAX_SHOWN;
  return `${additions.slice(0, MAX_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

/** Writes the files of the changes that can be accepted. Returns what it wrote, and what it could not accept. */
export const acceptChanges = (
  changes: readonly GoldenChange[],
  folder = GOLDEN,
): { readonly written: readonly string[]; readonly refused: readonly string[] } => {
  const accepted = changes.filter(({ breaks }) => breaks.length === 0);
  for (const { file, text } of accepted) writeFileSync(new URL(file, folder), text);
  return {
    written: accepted.map(({ file, additions }) => `test/golden/${file} (${shownList(additions)})`),
    refused: changes.flatMap(({ file, breaks }) => breaks.map((line) => `test/golden/${file}: ${line}`)),
  };
};

/** Returns the names of the files in a golden folder that are not in `expected`. */
export const unexpectedFiles = (folder: string, expected: readonly string[]): readonly string[] =>
  readdirSync(new URL(`${folder}/`, GOLDEN)).filter((file) => !expected.includes(file));
