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

/** Reads a Dockerfile with the instructions that this repository uses. */
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

/** The variables of an ENV instruction. */
const variablesOf = (text: string): Readonly<Record<string, string>> => Object.fromEntries(text.split(/\s+/).map(pairOf));

/** Every variable that the image sets. */
export const environmentOf = ({ stages }: Dockerfile): Readonly<Record<string, string>> => {
  const texts = stages.at(-1)?.instructions.filter(({ name }) => name === 'ENV') ?? [];
  return Object.assign({}, ...texts.map(({ text }) => variablesOf(text))) as Readonly<Record<string, string>>;
};

/** The last instruction with a name, for example USER or ENTRYPOINT, in the last stage. */
export const lastInstruction = ({ stages }: Dockerfile, name: string): string => {
  const last = stages.at(-1)?.instructions.findLast((instruction) => instruction.name === name);
  if (!last) throw new Error(`the Dockerfile has no ${name}`);
  return last.text;
};

/** The words of a command in JSON form. */
export const wordsOf = (text: string): readonly string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];
