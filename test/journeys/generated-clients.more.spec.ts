import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endPrograms, ROOT, startProgram } from '../servers/program.js';
import { sharedGenerators } from '../servers/services/generators.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
const VERSIONS = ['openapi', 'openapi-3.1'] as const;
const HEY_API = '@hey-api/openapi-ts/bin/run.js';

type ClientResult = Readonly<Record<string, unknown>>;

/** Runs a program and returns its standard output. Throws an error with its output if the program fails. */
const run = async (command: string, args: readonly string[], cwd: string, path = process.env['PATH'] ?? ''): Promise<string> => {
  // The generator Orval leaves a cache in TMPDIR, so TMPDIR is a folder of the test.
  const program = startProgram(command, args, { cwd, env: { PATH: path, TMPDIR: cwd } });
  const { code } = await program.ended;
  const output = `${program.stdout()}${program.stderr()}`;
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}:\n${output.slice(-5000)}`);
  return program.stdout();
};

/** Returns code that uses the generated types. It compiles only if no generator has omitted a property. */
const typesTestSource = (imports: string): string => `${imports}
export const vaccinated = (pet: Pet): boolean | undefined => pet.medicalInfo?.vaccinated;
export const pages = ({ pagination, links }: PetCollection): [number, string | null | undefined] => [pagination.totalPages, links?.next];
export const lastDigits = ({ source }: Payment): string => (source.object === 'card' ? source.last4 : source.number);
export const card: PaymentRequest['source'] = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 };
// @ts-expect-error A pet has a name.
export const nameless: PetRequest = { species: 'DOG', ageMonths: 18 };
`;
const TYPES = ['Pet', 'PetCollection', 'Payment', 'PaymentRequest', 'PetRequest'];
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
    ...{ strict: true, noEmit: true, skipLibCheck: false, types: [] },
  },
};

describeIfAvailable('clients generated from the OpenAPI documents', await sharedGenerators(), ({ script, python }) => {
  describe('clients generated from the OpenAPI documents', () => {
    let service: OwnPetstore;
    let folder: string;

    beforeAll(async () => {
      service = await startOwnPetstore();
      folder = mkdtempSync(join(tmpdir(), 'petstore-clients-'));
      for (const version of VERSIONS)
        writeFileSync(join(folder, `${version}.json`), await (await fetch(`${service.url}/${version}.json`)).text());
    });
    afterAll(async () => {
      await endPrograms();
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    const node = (path: string, ...args: readonly string[]) => run(process.execPath, [script(path), ...args], folder);
    const useTypes = (place: string, imports: string) => writeFileSync(join(folder, place, 'use.ts'), typesTestSource(imports));

    // Each generator writes into its own folder.
    const GENERATE: Readonly<Record<string, (document: string, out: string) => Promise<void>>> = {
      async 'openapi-typescript'(document, out) {
        await node('openapi-typescript/bin/cli.js', document, '-o', join(out, 'types.ts'));
        const aliases = TYPES.map((name) => `type ${name} = components['schemas']['${name}'];`);
        useTypes(out, ["import type { components } from './types';", ...aliases].join('\n'));
      },
      async '@hey-api/openapi-ts'(document, out) {
        await node(HEY_API, '-i', document, '-o', join(out, 'client'), '-c', '@hey-api/client-fetch', '--no-log-file');
        useTypes(out, `import type { ${TYPES.join(', ')} } from './client';`);
      },
      async orval(document, out) {
        const config = {
          store: { input: { target: document }, output: { target: './client.ts', client: 'fetch', mode: 'single' } },
        };
        writeFileSync(join(folder, out, 'orval.config.mjs'), `export default ${JSON.stringify(config)};\n`);
        await node('orval/dist/bin/orval.mjs', '--config', join(out, 'orval.config.mjs'));
        useTypes(out, `import type { ${TYPES.join(', ')} } from './client';`);
      },
    };

    it.each(VERSIONS.flatMap((version) => Object.keys(GENERATE).map((name) => [name, version] as const)))(
      'by %s from %s.json compile, and have the types of every property',
      async (name, version) => {
        const out = `${name.replace('/', '-')}-${version}`;
        mkdirSync(join(folder, out));
        await GENERATE[name]?.(join(folder, `${version}.json`), out);
        writeFileSync(join(folder, out, 'tsconfig.json'), JSON.stringify(TSCONFIG));
        await run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(folder, out)], folder);
      },
    );

    it('by openapi-python-client list, find, order and pay a pet', async () => {
      // The generator formats its code with ruff, which is in the same folder as `python`.
      const path = [dirname(python), process.env['PATH']].join(delimiter);
      const out = join(folder, 'python', 'pet_store');
      const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', '--meta', 'none'];
      mkdirSync(dirname(out));
      // The generator accepts only application/octet-stream for bytes. With this setting, it handles images in the same way.
      const overrides = Object.fromEntries(['jpeg', 'png', 'webp'].map((type) => [`image/${type}`, 'application/octet-stream']));
      writeFileSync(join(folder, 'python.json'), JSON.stringify({ content_type_overrides: overrides }));
      const paths = ['--config', join(folder, 'python.json'), '--path', join(folder, 'openapi-3.1.json'), '--output-path', out];
      await run(python, [...generate, ...paths], folder, path);
      const token = await service.token('write:pets read:pets write:orders');
      const journey = join(ROOT, 'test', 'consumers', 'order_a_pet.py');
      const received = JSON.parse(await run(python, [journey, dirname(out), service.url, token], folder)) as ClientResult;
      const source = {
        object: 'card',
        name: 'Ann Example',
        number: '************4242',
        brand: 'visa',
        last4: '4242',
        addressCity: 'London',
      };
      expect(received).toMatchObject({
        pet: { name: 'Luna', status: 'AVAILABLE', medicalInfo: { vaccinated: true, healthNotes: 'fit' } },
        ...{ listed: ['Luna'], totalItems: 1, nextPage: null, found: ['fit'], missing: [404, 'Not found'] },
        payment: { status: 'succeeded', source },
        sourceType: 'MaskedBankCard',
        receipt: { amount: '250.00', source },
        order: { status: 'delivered', complete: true },
        inventory: { ADOPTED: 1, delivered: 1 },
      });
    });
  });
});
