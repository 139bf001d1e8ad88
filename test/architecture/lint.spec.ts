import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import { newFolder, removeFolders } from '../servers/data-folder.js';

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
const IN_APPS = ['apps/api/api.module.ts', IN_APP, 'apps/petstore/program.ts'];

type Diagnostic = { readonly code: string; readonly filename: string };

describe('oxlint', () => {
  const PLANTED = 'test/architecture/planted/lint';

  it('reports each planted file by the rule of its name, and no other file', () => {
    const folder = newFolder();
    const { ignorePatterns: _, ...rules } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(folder, 'oxlint.json'), JSON.stringify(rules));
    const args = [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--config', join(folder, 'oxlint.json'), '--format', 'json', PLANTED];
    const { stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] };
    const found = diagnostics.map(({ filename, code }) => [basename(filename), code.replace(/^.*\((.*)\)$/, '$1')]);
    const planted = readdirSync(join(ROOT, PLANTED)).filter((file) => file.endsWith('.rejected.ts'));
    expect(found.toSorted()).toEqual(planted.map((file) => [file, file.replace('.rejected.ts', '')]).toSorted());
    removeFolders();
  });
});

describe('lint rejects', () => {
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
    "<p dangerouslySetInnerHTML={{ __html: '' }} />",
    "({ dangerouslySetInnerHTML: '' })",
    "(document.body.innerHTML = '')",
    "document.body.insertAdjacentHTML('beforeend', '')",
    "localStorage.setItem('token', '')",
    'window.sessionStorage',
    "(document.cookie = '')",
  ])('%s in the console, which shows texts of clients and holds a token', async (expression) => {
    expect(await brokenRules('apps/console/main.tsx', `export const made: unknown = ${expression};\n`)).toContain('no-restricted-syntax');
  });

  it('an unused comment that disables a rule', async () => {
    expect(await brokenRules(IN_LIBS, '/* eslint-disable no-restricted-syntax */\nexport const kept = 2;\n')).toEqual([
      expect.stringContaining('Unused eslint-disable directive'),
    ]);
  });
});

describe('lint allows', () => {
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

  it('the time, randomness and the network in the console, which has no ports', async () => {
    const code = "export const made: unknown = [Date.now(), Math.random(), fetch('v1/pets')];\n";
    for (const file of ['apps/console/api.ts', 'apps/console/main.tsx']) expect(await brokenRules(file, code)).toEqual([]);
  });

  it('a date from a given value', async () => {
    expect(await brokenRules(IN_LIBS, 'export const made = (text: string): Date => new Date(text);\n')).toEqual([]);
  });
});
