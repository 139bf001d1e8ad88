import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const eslint = new ESLint({ cwd: ROOT });
const { WITHOUT_A_PORT } = (await import(join(ROOT, 'eslint.config.js'))) as {
  readonly WITHOUT_A_PORT: readonly { readonly file: string; readonly reaches: 'time' | 'randomness' | 'network' }[];
};

const brokenRules = async (file: string, code: string): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(code, { filePath: file });
  return result.messages.map(({ ruleId, message }) => ruleId ?? message);
};

/** Lint checks each text as if one of these files contained it. The type checker must include the file. */
const IN_LIBS = 'libs/eventsourcing/message.ts';
const IN_ADAPTER = 'libs/adapters/system/system-clock.ts';
const IN_COMPOSITION = 'apps/petstore/composition/tokens.ts';
const IN_APP = 'apps/worker/health.ts';
const IN_SPEC = 'libs/eventsourcing/handle.spec.ts';
const IN_APPS = ['apps/api/api.module.ts', IN_APP, 'apps/petstore/program.ts'];

describe('lint rejects', () => {
  it.each([
    [
      'a promise that is not awaited',
      '@typescript-eslint/no-floating-promises',
      'export const start = (): void => { Promise.resolve(1); };\n',
    ],
    ['any', '@typescript-eslint/no-explicit-any', 'export const take = (value: any): void => void value;\n'],
    [
      'a non-null assertion',
      '@typescript-eslint/no-non-null-assertion',
      'export const first = (list: string[] | null): string => list![0];\n',
    ],
    [
      'an import of a type without the keyword type',
      '@typescript-eslint/consistent-type-imports',
      "import { Clock } from './clock.port.js';\nexport type Mine = Clock;\n",
    ],
    ['an unused variable', '@typescript-eslint/no-unused-vars', 'const forgotten = 1;\nexport const kept = 2;\n'],
    [
      'a switch without one of its cases',
      '@typescript-eslint/switch-exhaustiveness-check',
      "export const say = (what: 'a' | 'b'): string => {\n  switch (what) {\n    case 'a':\n      return 'A';\n  }\n  return '';\n};\n",
    ],
    ['a default export', 'no-restricted-syntax', 'export default 1;\n'],
  ])('%s', async (_, rule, code) => {
    expect(await brokenRules(IN_LIBS, code)).toContain(rule);
  });

  describe.each([IN_LIBS, ...IN_APPS])('in %s, where time, randomness and the network are reached only through ports,', (file) => {
    it.each([
      'new Date()',
      'Date()',
      'Date.now()',
      'Date.now',
      'performance.now()',
      'process.hrtime.bigint()',
      'process.uptime()',
      'setTimeout(() => undefined, 1)',
      'setInterval(() => undefined, 1)',
      'AbortSignal.timeout(1)',
      'Math.random()',
      'Math.random',
      'crypto.randomUUID()',
      'crypto.getRandomValues(new Uint8Array(1))',
      "fetch('http://127.0.0.1')",
      "new WebSocket('ws://127.0.0.1')",
    ])('%s', async (expression) => {
      expect(await brokenRules(file, `export const made: unknown = ${expression};\n`)).toContain('no-restricted-syntax');
    });

    it.each([
      "import { setTimeout as used } from 'node:timers/promises';",
      "import { randomUUID as used } from 'node:crypto';",
      "import { randomBytes as used } from 'crypto';",
      "import { webcrypto as used } from 'node:crypto';",
      "import * as used from 'node:crypto';",
      "import used from 'node:crypto';",
      "import { connect as used } from 'node:net';",
      "import { Socket as used } from 'node:net';",
      "import { request as used } from 'node:http';",
      "import { get as used } from 'node:https';",
      "import * as used from 'node:http';",
      "import { lookup as used } from 'node:dns/promises';",
    ])('%s', async (code) => {
      expect(await brokenRules(file, `${code}\nexport const made: unknown = used;\n`)).toContain('no-restricted-syntax');
    });
  });

  it.each(WITHOUT_A_PORT)('in $file time, randomness and the network, except $reaches', async ({ file, reaches }) => {
    const others = Object.entries({ time: 'Date.now()', randomness: 'Math.random()', network: "fetch('http://127.0.0.1')" });
    for (const [what, expression] of others) {
      const broken = await brokenRules(file, `export const made: unknown = ${expression};\n`);
      expect(broken).toEqual(what === reaches ? [] : ['no-restricted-syntax']);
    }
  });

  it.each([
    "export { systemClock } from '../../../libs/adapters/system/index.js';",
    "export { systemClock as clock } from '../../../libs/adapters/system/index.js';",
    "export type { SimulatedGateway } from '../../../libs/adapters/gateway/index.js';",
    "export * from '../../../libs/adapters/system/index.js';",
    "export * as system from '../../../libs/adapters/system/index.js';",
    "import { systemClock } from '../../../libs/adapters/system/index.js';\nexport { systemClock };",
    "import { systemClock } from '../../../libs/adapters/system/index.js';\nexport { systemClock as clock };",
    "import { systemClock } from '../../../libs/adapters/system/index.js';\nexport const clock = systemClock;",
  ])('%s in composition, which would hide the import of an adapter', async (code) => {
    expect(await brokenRules(IN_COMPOSITION, `${code}\n`)).toContain('no-restricted-syntax');
  });

  it.each([
    ['a file of more than 250 lines', 'max-lines', 'export {};\n'.repeat(251)],
    ['a function of more than 40 lines', 'petstore/function-length', `export const long = (): void => {\n${'// Why.\n'.repeat(39)}};\n`],
    ['a method of more than 40 lines', 'petstore/function-length', `export class Long {\n  go(): void {${'\n'.repeat(40)}  }\n}\n`],
  ])('%s, including comments and blank lines', async (_, rule, code) => {
    for (const file of [IN_LIBS, IN_ADAPTER, IN_SPEC, ...IN_APPS]) expect(await brokenRules(file, code)).toContain(rule);
  });

  it('an unused comment that disables a rule', async () => {
    expect(await brokenRules(IN_LIBS, '/* eslint-disable no-restricted-syntax */\nexport const kept = 2;\n')).toEqual([
      expect.stringContaining('Unused eslint-disable directive'),
    ]);
  });
});

describe('lint allows', () => {
  it.each([
    "describe('orders', () => {",
    "(process.env['X'] ? describe : describe.skip)('orders', () => {",
    "describe.each([1, 2])('%i orders', (count) => {\n  expect(count).toBe(count);",
  ])('a long suite: %s', async (head) => {
    const tests = "  it('are counted', () => expect(1).toBe(1));\n".repeat(60);
    const code = `import { describe, expect, it } from '@jest/globals';\n${head}\n${tests}});\n`;
    expect(await brokenRules(IN_SPEC, code)).toEqual([]);
  });

  it.each(['// It understands.\n', "export const status = 'told';\n", 'export const told = 1;\n'])(
    'banned words in names and within longer words: %j',
    async (code) => {
      expect(await brokenRules('libs/domain/ids.ts', code)).toEqual([]);
    },
  );

  it('a function of 40 lines in a file of 250', async () => {
    const code = `export const whole = (): void => {\n${'// Why.\n'.repeat(38)}};\n${'// What.\n'.repeat(210)}`;
    expect(await brokenRules(IN_LIBS, code)).toEqual([]);
  });

  it('an adapter that composition exports as a port', async () => {
    // The code does not import systemClock, because another test lints other code as the content of its file.
    const code = "import { randomness } from '../../../libs/adapters/system/index.js';\nexport const random: () => number = randomness;\n";
    expect(await brokenRules(IN_COMPOSITION, code)).toEqual([]);
  });

  it('the current time in an adapter', async () => {
    expect(await brokenRules(IN_ADAPTER, 'export const made = new Date();\n')).toEqual([]);
  });

  it.each([
    "import type { Socket } from 'node:net';\nexport type Used = Socket;",
    "import { isIPv4 } from 'node:net';\nexport const used = isIPv4('');",
    "import { createServer } from 'node:http';\nexport const used = createServer();",
    "import { hash } from 'node:crypto';\nexport const used = hash('sha256', '');",
  ])('imports that reach nothing outside, or serve requests from outside: %s', async (code) => {
    for (const file of IN_APPS) expect(await brokenRules(file, `${code}\n`)).toEqual([]);
  });

  it.each(WITHOUT_A_PORT)('in $file the code that it has, but not in another file', async ({ file }) => {
    const code = readFileSync(join(ROOT, file), 'utf8');
    expect(await brokenRules(file, code)).toEqual([]);
    expect(await brokenRules('apps/petstore/client/deliveries.ts', code)).toContain('no-restricted-syntax');
  });

  it('a date from a given value', async () => {
    expect(await brokenRules(IN_LIBS, 'export const made = (text: string): Date => new Date(text);\n')).toEqual([]);
  });

  it('a switch with every case and a check for never', async () => {
    const code =
      "const unreachable = (value: never): never => {\n  throw new Error(String(value));\n};\nexport const say = (what: 'a' | 'b'): string => {\n  switch (what) {\n    case 'a':\n      return 'A';\n    case 'b':\n      return 'B';\n    default:\n      return unreachable(what);\n  }\n};\n";
    expect(await brokenRules(IN_APP, code)).toEqual([]);
  });
});
