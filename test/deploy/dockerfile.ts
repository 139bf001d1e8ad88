/** One instruction of a Dockerfile, its line breaks mended. */
export type Instruction = { readonly name: string; readonly text: string };

/** What one FROM begins. */
export type Stage = { readonly name: string; readonly image: string; readonly instructions: readonly Instruction[] };

export type Dockerfile = { readonly args: ReadonlyMap<string, string>; readonly stages: readonly Stage[] };

/** What a COPY copies: `from` is a stage, else the build's context. */
export type Copy = {
  readonly from?: string;
  readonly chmod?: string;
  readonly chown?: string;
  readonly sources: readonly string[];
  readonly to: string;
};

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

/** Reads a Dockerfile as far as this repository's goes. */
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
    else throw new Error(`${instruction.name} stands before any FROM`);
  }
  return { args, stages };
};

const pairOf = (text: string): [string, string] => {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
  return [name, value];
};

/** The variables of an ENV. */
const variablesOf = (text: string): Readonly<Record<string, string>> => Object.fromEntries(text.split(/\s+/).map(pairOf));

/** Every variable that the image itself sets. */
export const environmentOf = ({ stages }: Dockerfile): Readonly<Record<string, string>> => {
  const texts = stages.at(-1)?.instructions.filter(({ name }) => name === 'ENV') ?? [];
  return Object.assign({}, ...texts.map(({ text }) => variablesOf(text))) as Readonly<Record<string, string>>;
};

/** What the last stage says once, as USER or ENTRYPOINT. */
export const saidBy = ({ stages }: Dockerfile, name: string): string => {
  const said = stages.at(-1)?.instructions.findLast((instruction) => instruction.name === name);
  if (!said) throw new Error(`the Dockerfile says no ${name}`);
  return said.text;
};

/** The words of a command in its JSON form, which no shell reads. */
export const wordsOf = (text: string): readonly string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];

export const copyOf = (text: string): Copy => {
  const words = text.split(/\s+/);
  const flags = Object.fromEntries(words.filter((word) => word.startsWith('--')).map((word) => pairOf(word.slice(2))));
  const paths = words.filter((word) => !word.startsWith('--'));
  return { ...flags, sources: paths.slice(0, -1), to: paths.at(-1) ?? '' };
};
