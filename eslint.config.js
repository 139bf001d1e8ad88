import { defineConfig, globalIgnores } from 'eslint/config';
import * as typescript from '@typescript-eslint/parser';

/**
 * The rules of this repository: what has no rule in oxlint, whose rules are in `.oxlintrc.json`. None of them needs types, which
 * are most of the time of a lint.
 */

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: a default export has a different name in every file that imports it.',
};

/**
 * Composition does not re-export adapters. Otherwise a file that imports composition would import an adapter, and the
 * import rule would not see it.
 */
const noAdapterReexport = [
  {
    selector: ':matches(ExportNamedDeclaration, ExportAllDeclaration)[source.value=/\\/adapters\\//]',
    message: 'Do not re-export an adapter: export a function or a port with its own name.',
  },
  {
    selector: 'ExportNamedDeclaration[source=null] > ExportSpecifier',
    message: 'Export at the declaration: an export list may re-export an import.',
  },
  {
    selector: 'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator[init.type="Identifier"]:not([id.typeAnnotation])',
    message: 'Declare the type: another name for an import would re-export an adapter.',
  },
];

const reject = (message, selectors) => selectors.map((selector) => ({ selector, message }));
const importOf = (modules, names) => {
  const from = `ImportDeclaration[importKind!="type"][source.value=/^(node:)?(${modules})$/]`;
  return [
    `${from} > ImportSpecifier[importKind!="type"][imported.name=/^(${names})$/]`,
    `${from} > :matches(ImportDefaultSpecifier, ImportNamespaceSpecifier)`,
  ];
};

/** Time, randomness and the network are used only through ports, so that tests can simulate them from a seed. */
const onlyByPorts = {
  time: [
    ...reject('The time comes from the Clock port, or is passed in.', [
      'NewExpression[callee.name="Date"][arguments.length=0]',
      'CallExpression[callee.name="Date"]',
      'MemberExpression[object.name="Date"][property.name="now"]',
      'MemberExpression[object.name="performance"]',
      'MemberExpression[object.name="process"][property.name=/^(hrtime|uptime)$/]',
    ]),
    ...reject('Wait with the Clock port.', [
      'CallExpression[callee.name=/^set(Timeout|Interval)$/]',
      'MemberExpression[object.name="AbortSignal"][property.name="timeout"]',
      'ImportDeclaration[source.value=/^(node:)?timers/]',
    ]),
  ],
  randomness: reject('Randomness comes from the Ids port, or is passed in.', [
    'MemberExpression[object.name="Math"][property.name="random"]',
    'MemberExpression[object.name="crypto"][property.name=/^(random|getRandom)/]',
    ...importOf('crypto', 'random.*|getRandomValues|webcrypto|generate.*'),
  ]),
  network: reject('Use the network only through a port.', [
    'CallExpression[callee.name="fetch"]',
    'NewExpression[callee.name=/^(WebSocket|EventSource)$/]',
    ...importOf(
      'net|http|https|http2|tls|dgram|dns|dns\\/promises',
      'request|get|connect|createConnection|createSocket|Socket|Agent|lookup|resolve.*',
    ),
  ]),
};

/** Files of apps that use the time or the network directly, each with the reason. */
export const WITHOUT_A_PORT = [
  {
    file: 'apps/api/http/machine-time.ts',
    reaches: 'time',
    why: 'The time limits of sockets use real time, as the timeouts of Node do. Moving the Clock must not end requests.',
  },
  {
    file: 'apps/petstore/terminal/pause.ts',
    reaches: 'time',
    why: 'A waiting command must keep its process alive. The timers of the Clock do not keep a process alive.',
  },
  {
    file: 'apps/petstore/client/send-request.ts',
    reaches: 'network',
    why: 'A command is a client of a running service. The Egress port is only for addresses that callers supply.',
  },
];

/** The console shows texts of clients, and holds a token: texts are never HTML, and the token is only in memory. */
const onlyTextAndMemory = [
  ...reject('Show text as text: HTML could run scripts of a client.', [
    'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
    'Property[key.name="dangerouslySetInnerHTML"]',
    'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
  ]),
  ...reject('Keep it in memory: storage and cookies outlive the page, and other scripts of the origin can read them.', [
    'Identifier[name=/^(localStorage|sessionStorage|indexedDB|cookieStore)$/]',
    'MemberExpression[property.name="cookie"]',
  ]),
];

/** `eventually` repeats what fails, so a broken promise of the service would have no effect there. */
const noRepeatedInvariant = {
  selector: "CallExpression[callee.name='eventually'] CallExpression[callee.name='expectInvariant']",
  message: 'Call expectInvariant after eventually, on the log or on a settled store.',
};

const restricted = (...extra) => ({ 'no-restricted-syntax': ['error', noDefaultExport, noRepeatedInvariant, ...extra] });

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'coverage/', '.data/', '.cluster/', 'test/architecture/planted/', 'test/consumers/generated/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.{ts,tsx}'], languageOptions: { parser: typescript }, rules: restricted() },
  {
    files: ['libs/**/*.ts'],
    ignores: ['libs/adapters/**', '**/*.spec.ts'],
    rules: restricted(...Object.values(onlyByPorts).flat()),
  },
  {
    files: ['apps/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fixtures.ts'],
    rules: restricted(...noAdapterReexport, ...Object.values(onlyByPorts).flat()),
  },
  // The page runs in a browser, which has the time, randomness and the network, and no ports.
  { files: ['apps/console/**/*.{ts,tsx}'], rules: restricted(...onlyTextAndMemory) },
  // Vite reads the default export.
  { files: ['apps/console/vite.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  ...WITHOUT_A_PORT.map(({ file, reaches }) => ({
    files: [file],
    rules: restricted(
      ...noAdapterReexport,
      ...Object.entries(onlyByPorts).flatMap(([what, selectors]) => (what === reaches ? [] : selectors)),
    ),
  })),
  { files: ['**/*.mjs'], rules: restricted() },
);
