import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const TUTORIAL = 'docs/tutorial.md';

/** A block of the tutorial, and the file that the heading above it names. */
type Step = { readonly file: string; readonly language: string; readonly block: string };

/** Returns the blocks that write or change a file. Omits shell commands, and blocks under a heading that names no file. */
const stepsIn = (text: string): readonly Step[] => {
  const steps: Step[] = [];
  let file: string | undefined;
  for (const [, heading, language, block] of text.matchAll(/^#+ (.*)$|^```(\w+)\n([^]*?)^```$/gm)) {
    if (heading !== undefined) file = /`(.*)`/.exec(heading)?.[1];
    else if (file !== undefined && language !== undefined && language !== 'sh') steps.push({ file, language, block: block ?? '' });
  }
  return steps;
};

/** Returns the index of the only place where the wanted lines are consecutive. Throws if there are several places or none. */
const placeOf = (lines: readonly string[], wanted: readonly string[], file: string): number => {
  const places = lines.flatMap((_, place) => (wanted.every((line, nth) => lines[place + nth] === line) ? [place] : []));
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new Error(`${TUTORIAL}: ${places.length} places in ${file} have these lines:\n${wanted.join('\n')}`);
  return place;
};

/** Applies a diff without line numbers to a text. `@@` separates the parts of the diff. */
const applyDiff = (text: string, diff: string, file: string): string => {
  let lines = text.split('\n');
  for (const part of diff.trimEnd().split(/^@@\n/m)) {
    const marked = part.trimEnd().split('\n');
    const withMark = (...marks: readonly string[]): readonly string[] =>
      marked.filter((line) => marks.includes(line[0] ?? ' ')).map((line) => line.slice(1));
    const former = withMark(' ', '-');
    lines = lines.toSpliced(placeOf(lines, former, file), former.length, ...withMark(' ', '+'));
  }
  return lines.join('\n');
};

/** Returns every file that the tutorial in this folder writes or changes, with its resulting text. */
export const tutorialFiles = (folder: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const { file, language, block } of stepsIn(readFileSync(join(folder, TUTORIAL), 'utf8'))) {
    const isThere = existsSync(join(folder, file));
    if (isThere !== (language === 'diff')) throw new Error(`${TUTORIAL}: ${file} is ${isThere ? 'there already' : 'not there'}`);
    files.set(file, isThere ? applyDiff(files.get(file) ?? readFileSync(join(folder, file), 'utf8'), block, file) : block);
  }
  return files;
};
