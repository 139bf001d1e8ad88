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

/** A line of a diff may have `<n>` for any number, and `<n + 1>` for the number after it. */
const NUMBER = '<n>';
const NEXT_NUMBER = '<n + 1>';

const patternOf = (line: string): RegExp => new RegExp(`^${RegExp.escape(line).replace(RegExp.escape(NUMBER), String.raw`(\d+)`)}$`);

/** Returns the indexes of the places where the wanted lines are consecutive. */
const placesOf = (lines: readonly string[], wanted: readonly string[]): readonly number[] => {
  const patterns = wanted.map(patternOf);
  return lines.flatMap((_, place) => (patterns.every((pattern, nth) => pattern.test(lines[place + nth] ?? '')) ? [place] : []));
};

/** Returns the lines that follow from the former ones, with the number after theirs. */
const withNumber = (lines: readonly string[], former: readonly string[], found: readonly string[]): readonly string[] => {
  const nth = former.findIndex((line) => line.includes(NUMBER));
  const [, number] = patternOf(former[nth] ?? '').exec(found[nth] ?? '') ?? [];
  return lines.map((line) => line.replace(NEXT_NUMBER, String(Number(number) + 1)).replace(NUMBER, number ?? NUMBER));
};

/** Applies a diff without line numbers to a text. `@@` separates the parts of the diff. A part that is applied already changes nothing. */
const applyDiff = (text: string, diff: string, file: string): string => {
  let lines = text.split('\n');
  for (const part of diff.trimEnd().split(/^@@\n/m)) {
    const marked = part.trimEnd().split('\n');
    const withMark = (...marks: readonly string[]): readonly string[] =>
      marked.filter((line) => marks.includes(line[0] ?? ' ')).map((line) => line.slice(1));
    const [former, latter] = [withMark(' ', '-'), withMark(' ', '+')];
    const isCounted = latter.some((line) => line.includes(NEXT_NUMBER));
    // Whether a number was raised cannot be seen, so such a part is always applied.
    if (!isCounted && placesOf(lines, latter).length > 0) continue;
    const [place, ...others] = placesOf(lines, former);
    if (place === undefined || others.length > 0)
      throw new Error(
        `${TUTORIAL}: ${place === undefined ? 0 : others.length + 1} places in ${file} have these lines:\n${former.join('\n')}`,
      );
    lines = lines.toSpliced(place, former.length, ...withNumber(latter, former, lines.slice(place, place + former.length)));
  }
  return lines.join('\n');
};

/**
 * Returns every file that the tutorial in this folder writes or changes, with its resulting text. Throws if the tutorial shows lines that
 * a file does not have. A folder in which the steps are applied already is accepted.
 */
export const tutorialFiles = (folder: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const { file, language, block } of stepsIn(readFileSync(join(folder, TUTORIAL), 'utf8'))) {
    const isDiff = language === 'diff';
    const found = files.get(file) ?? (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined);
    const isWrong = isDiff ? found === undefined : found !== undefined && found !== block;
    if (isWrong) throw new Error(`${TUTORIAL}: ${file} ${isDiff ? 'is not there' : 'is there already, with another text'}`);
    files.set(file, isDiff ? applyDiff(found ?? '', block, file) : block);
  }
  return files;
};
