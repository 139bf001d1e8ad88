/** An instruction of a Dockerfile, with its lines joined. */
export type Instruction = { readonly name: string; readonly text: string };

/** A build stage. */
export type Stage = { readonly name: string; readonly image: string; readonly instructions: readonly Instruction[] };

export type Dockerfile = { readonly args: ReadonlyMap<string, string>; readonly stages: readonly Stage[] };

const instructionsOf = (text: string): readonly Instruction[] =>
  text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name, text: rest };
    });

/** Parses a Dockerfile. Supports only the instructions that this repository uses. */
export const readDockerfile = (text: string): Dockerfile => {
  const args = new Map<string, string>();
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (instruction.name === 'FROM') {
      const [image = '', , name = 'image'] = instruction.text.split(/\s+/);
      stages.push({ image: image.replace(/\$\{(\w+)\}/g, (_, arg: string) => args.get(arg) ?? ''), name, instructions: [] });
    } else if (stage) stage.instructions.push(instruction);
    else if (instruction.name === 'ARG') args.set(...pairOf(instruction.text));
    else throw new Error(`${instruction.name} comes before FROM`);
  }
  return { args, stages };
};

const pairOf = (text: string): [string, string] => {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
  return [name, value];
};

/** Returns the variables of an ENV instruction. */
const variablesOf = (text: string): Readonly<Record<string, string>> => Object.fromEntries(text.split(/\s+/).map(pairOf));

/** Returns the environment variables that the last stage sets. */
export const environmentOf = ({ stages }: Dockerfile): Readonly<Record<string, string>> => {
  const texts = stages.at(-1)?.instructions.filter(({ name }) => name === 'ENV') ?? [];
  return Object.assign({}, ...texts.map(({ text }) => variablesOf(text))) as Readonly<Record<string, string>>;
};

/** Returns the text of the last instruction with this name in the last stage. Throws if there is none. */
export const lastInstruction = ({ stages }: Dockerfile, name: string): string => {
  const last = stages.at(-1)?.instructions.findLast((instruction) => instruction.name === name);
  if (!last) throw new Error(`the Dockerfile has no ${name}`);
  return last.text;
};

/** Returns the words of a command that is written as a JSON array. */
export const wordsOf = (text: string): readonly string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];
