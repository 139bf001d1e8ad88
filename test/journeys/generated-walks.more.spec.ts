import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { endPrograms, ROOT, startProgram } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedGenerators, sharedOapiCodegen, sharedOpenapiGenerator } from '../servers/services/generators.js';
import { isMissing } from '../servers/services/shared.js';
import { startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';

/** The documents, and the name of their walk in test/consumers/generated. */
const DOCUMENTS = [
  ['/openapi-3.1.json', 'walk'],
  ['/api/v3/openapi.json', 'classic'],
] as const;
const WALKS = join(ROOT, 'test', 'consumers', 'generated');
const GO_MODULE = join(ROOT, 'test', 'servers', 'services', 'generators', 'go');

/** What each walk prints: the walk of README.md as far as the approved order, and that of the classic variant. */
const PRINTED = {
  walk: { listed: expect.arrayContaining(['Biscuit']) as unknown, last4: '4242', status: 'approved' },
  classic: { found: true, status: 'placed' },
};

let service: OwnPetstore;
let folder: string;

beforeAll(async () => {
  service = await startOwnPetstore({ RATE_LIMIT: 'off' });
  folder = mkdtempSync(join(tmpdir(), 'petstore-walks-'));
});
afterAll(async () => {
  await endPrograms();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program and returns its standard output. Throws an error with its output if the program fails. */
const run = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  const { HOME = '', PATH = '' } = process.env;
  const program = startProgram(command, args, { cwd, env: { HOME, PATH, TMPDIR: folder } });
  const { code } = await program.ended;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}:\n${program.stdout()}${program.stderr().slice(-5000)}`);
  return program.stdout();
};

/** Makes a folder for a generator and a document, with the document in `document.json`. */
const folderFor = async (name: string, document: string): Promise<string> => {
  const place = join(folder, `${name.replace('/', '-')}-${dirname(document).length}`);
  mkdirSync(place);
  writeFileSync(join(place, 'document.json'), await (await fetch(service.url + document)).text());
  return place;
};

const walked = async (command: string, args: readonly string[], cwd: string): Promise<unknown> =>
  JSON.parse(await run(command, [...args, service.url, await service.token('write:pets read:pets write:orders')], cwd));

/** Writes all patterns of the documents into a file, a line each, and returns their number. */
const writePatterns = async (file: string): Promise<number> => {
  const patterns = new Set<string>();
  for (const [document] of DOCUMENTS)
    JSON.parse(await (await fetch(service.url + document)).text(), (key, value: unknown) => {
      if (key === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
  writeFileSync(file, [...patterns].join('\n'));
  return patterns.size;
};

/** Runs a program that compiles the patterns of the documents, and expects that it compiles them all. */
const compilePatterns = async (name: string, command: string, args: readonly string[]): Promise<void> => {
  const file = join(folder, `patterns-${name}.txt`);
  const count = await writePatterns(file);
  expect(count).toBeGreaterThan(20);
  expect(Number(await run(command, [...args, file], folder))).toBe(count);
};

/** Compiles a client in Go, in the folder `client`, with its walk, and runs them. */
const walkInGo = async (place: string, walk: string): Promise<unknown> => {
  for (const name of ['go.mod', 'go.sum']) copyFileSync(join(GO_MODULE, name), join(place, name));
  copyFileSync(walk, join(place, 'main.go'));
  await run('go', ['build', '-o', 'walk', '.'], place);
  return walked(join(place, 'walk'), [], place);
};

/** Writes a client of openapi-generator into the folder `client`. */
const generateByJar = (jars: string, name: string, place: string, ...options: readonly string[]): Promise<string> => {
  const jar = readdirSync(jars).find((file) => file.startsWith('openapi-generator-cli')) ?? '';
  return run('java', ['-jar', join(jars, jar), 'generate', '-i', 'document.json', '-g', name, '-o', 'client', ...options], place);
};

const openapiGenerator = await sharedOpenapiGenerator();
const generators = await sharedGenerators();
/** Both, or the first that is missing. */
const both = isMissing(openapiGenerator) ? openapiGenerator : isMissing(generators) ? generators : { ...openapiGenerator, ...generators };

describeIfAvailable('clients of openapi-generator', openapiGenerator, ({ jars }) => {
  it.each(DOCUMENTS)('a client of openapi-generator in Go, from %s, does the walk', async (document, walk) => {
    const place = await folderFor('go', document);
    // Without the first option, the client rejects responses with properties that it does not know.
    const options = 'disallowAdditionalPropertiesIfNotPresent=false,useOneOfDiscriminatorLookup=true';
    await generateByJar(jars, 'go', place, `--additional-properties=${options}`);
    for (const name of ['go.mod', 'go.sum']) rmSync(join(place, 'client', name));
    expect(await walkInGo(place, join(WALKS, 'openapi-generator-go', `${walk}.go`))).toEqual(PRINTED[walk]);
  });

  it.each(DOCUMENTS)('a client of openapi-generator in Java, from %s, does the walk', async (document, walk) => {
    const place = await folderFor('java', document);
    await generateByJar(jars, 'java', place, '--library', 'native');
    const name = walk === 'walk' ? 'Walk' : 'Classic';
    const sources = join(place, 'client', 'src', 'main', 'java');
    const walkFile = join(WALKS, 'openapi-generator-java', `${name}.java`);
    await run('javac', ['-nowarn', '-d', 'classes', '-cp', join(jars, '*'), '-sourcepath', sources, walkFile], place);
    const path = ['classes', join(jars, '*')].join(delimiter);
    expect(await walked('java', ['-cp', path, name], place)).toEqual(PRINTED[walk]);
  });
});

describeIfAvailable('patterns in Java', openapiGenerator, () => {
  it('the patterns of the documents are valid in Java', () => compilePatterns('java', 'java', [join(WALKS, 'patterns', 'Patterns.java')]));
});

describeIfAvailable('clients of openapi-generator in Python', both, ({ jars, python }) => {
  it('the patterns of the documents are valid in Python', () =>
    compilePatterns('python', python, [join(WALKS, 'patterns', 'patterns.py')]));

  it.each(DOCUMENTS)('a client of openapi-generator in Python, from %s, does the walk', async (document, walk) => {
    const place = await folderFor('python', document);
    await generateByJar(jars, 'python', place);
    const walkFile = join(WALKS, 'openapi-generator-python', `${walk}.py`);
    expect(await walked(python, [walkFile, join(place, 'client')], place)).toEqual(PRINTED[walk]);
  });
});

describeIfAvailable('clients of oapi-codegen', await sharedOapiCodegen(), ({ program }) => {
  it('the patterns of the documents are valid in Go', () => compilePatterns('go', 'go', ['run', join(WALKS, 'patterns', 'patterns.go')]));

  it.each(DOCUMENTS)('a client of oapi-codegen, from %s, does the walk', async (document, walk) => {
    const place = await folderFor('oapi-codegen', document);
    mkdirSync(join(place, 'client'));
    // Without skip-prune, the types of webhooks are missing.
    const config = { package: 'petstore', output: 'client/client.go', generate: { models: true, client: true } };
    writeFileSync(join(place, 'config.yaml'), JSON.stringify({ ...config, 'output-options': { 'skip-prune': true } }));
    await run(program, ['-config', 'config.yaml', 'document.json'], place);
    expect(await walkInGo(place, join(WALKS, 'oapi-codegen', `${walk}.go`))).toEqual(PRINTED[walk]);
  });
});

/** The generators of TypeScript. Each writes `client.ts` or the folder `client`. */
const TYPESCRIPT: Readonly<Record<string, (tools: Tools, place: string) => Promise<unknown>>> = {
  'typescript-fetch': ({ jars }, place) => generateByJar(jars, 'typescript-fetch', place),
  'openapi-typescript': ({ node }, place) => node('openapi-typescript/bin/cli.js', 'document.json', '-o', join(place, 'client.ts')),
  'hey-api': ({ node }) =>
    node('@hey-api/openapi-ts/bin/run.js', '-i', 'document.json', '-o', 'client', '-c', '@hey-api/client-fetch', '--no-log-file'),
  orval: async ({ node }, place) => {
    const store = { input: { target: './document.json' }, output: { target: './client.ts', client: 'fetch', mode: 'single' } };
    writeFileSync(join(place, 'orval.config.mjs'), `export default ${JSON.stringify({ store })};\n`);
    await node('orval/dist/bin/orval.mjs', '--config', join(place, 'orval.config.mjs'));
  },
  // Without the option, the client lacks the operations of the classic variant, which are deprecated.
  'openapi-zod-client': ({ node }) => node('openapi-zod-client/bin.js', 'document.json', '--with-deprecated', '-o', 'client.ts'),
};
type Tools = { readonly jars: string; readonly node: (script: string, ...args: readonly string[]) => Promise<string> };

/** Links the types of Node, and the packages that a client of openapi-zod-client imports. It needs an older zod than orval. */
const linkPackages = (script: (path: string) => string, into: string): void => {
  mkdirSync(into);
  for (const name of ['@types', 'axios']) symlinkSync(script(name), join(into, name));
  for (const name of ['@zodios', 'zod']) symlinkSync(script(`openapi-zod-client/node_modules/${name}`), join(into, name));
};

const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'commonjs', moduleResolution: 'node10' },
    ...{ strict: true, skipLibCheck: true, esModuleInterop: true, types: ['node'], outDir: 'js' },
  },
  files: ['walk.ts'],
};

describeIfAvailable('clients in TypeScript', both, ({ jars, script }) => {
  const CASES = Object.keys(TYPESCRIPT).flatMap((name) => DOCUMENTS.map(([document, walk]) => [name, document, walk] as const));

  it.each(CASES)('a client of %s, from %s, compiles and does the walk', async (name, document, walk) => {
    const place = await folderFor(name, document);
    const node = (path: string, ...args: readonly string[]) => run(process.execPath, [script(path), ...args], place);
    await TYPESCRIPT[name]?.({ jars, node }, place);
    copyFileSync(join(WALKS, 'typescript', walk === 'walk' ? `${name}.ts` : `${name}-classic.ts`), join(place, 'walk.ts'));
    linkPackages(script, join(place, 'node_modules'));
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await node('typescript/bin/tsc', '-p', '.');
    expect(await walked(process.execPath, [join('js', 'walk.js')], place)).toEqual(PRINTED[walk]);
  });
});
