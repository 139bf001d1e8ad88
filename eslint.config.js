import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: a default export has a different name in every file that imports it.',
};

/** Composition gives adapters names and types of its own: who imports a file there would else import an adapter that no rule sees. */
const noAdapterHandedOn = [
  {
    selector: ':matches(ExportNamedDeclaration, ExportAllDeclaration)[source.value=/\\/adapters\\//]',
    message: 'Composition does not hand on an adapter: export a function or a port with a name of its own.',
  },
  {
    selector: 'ExportNamedDeclaration[source=null] > ExportSpecifier',
    message: 'Export where it is declared: a list may hand on what was imported.',
  },
  {
    selector: 'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator[init.type="Identifier"]:not([id.typeAnnotation])',
    message: 'Say the type: another name for an import hands on the adapter.',
  },
];

const refuse = (message, selectors) => selectors.map((selector) => ({ selector, message }));
const importOf = (modules, names) => {
  const from = `ImportDeclaration[importKind!="type"][source.value=/^(node:)?(${modules})$/]`;
  return [
    `${from} > ImportSpecifier[importKind!="type"][imported.name=/^(${names})$/]`,
    `${from} > :matches(ImportDefaultSpecifier, ImportNamespaceSpecifier)`,
  ];
};

/** "Clock, Ids: nothing else reads the time, randomness or the network; so whole runs can be simulated from a seed." */
const onlyThroughPorts = {
  time: [
    ...refuse('The time comes from the Clock port, or is passed in.', [
      'NewExpression[callee.name="Date"][arguments.length=0]',
      'CallExpression[callee.name="Date"]',
      'MemberExpression[object.name="Date"][property.name="now"]',
      'MemberExpression[object.name="performance"]',
      'MemberExpression[object.name="process"][property.name=/^(hrtime|uptime)$/]',
    ]),
    ...refuse('Waiting goes through the Clock port.', [
      'CallExpression[callee.name=/^set(Timeout|Interval)$/]',
      'MemberExpression[object.name="AbortSignal"][property.name="timeout"]',
      'ImportDeclaration[source.value=/^(node:)?timers/]',
    ]),
  ],
  randomness: refuse('Randomness comes from the Ids port, or is passed in.', [
    'MemberExpression[object.name="Math"][property.name="random"]',
    'MemberExpression[object.name="crypto"][property.name=/^(random|getRandom)/]',
    ...importOf('crypto', 'random.*|getRandomValues|webcrypto|generate.*'),
  ]),
  network: refuse('The network is reached through the ports.', [
    'CallExpression[callee.name="fetch"]',
    'NewExpression[callee.name=/^(WebSocket|EventSource)$/]',
    ...importOf(
      'net|http|https|http2|tls|dgram|dns|dns\\/promises',
      'request|get|connect|createConnection|createSocket|Socket|Agent|lookup|resolve.*',
    ),
  ]),
};

/** Files of apps that reach the world without a port, each with what and why. */
export const WITHOUT_A_PORT = [
  {
    file: 'apps/api/http/server/machine-time.ts',
    reaches: 'time',
    why: 'Sockets are limited by the time of this machine, beside the timeouts of Node: moving the Clock must not end requests.',
  },
  {
    file: 'apps/petstore/terminal/pause.ts',
    reaches: 'time',
    why: 'A command that waits keeps its process alive, which the Clock never does.',
  },
  {
    file: 'apps/petstore/client/store-client.ts',
    reaches: 'network',
    why: 'A command is a client of a running store. Egress is for requests to addresses that callers of the store supplied.',
  },
];

/** Blank lines and comments count. */
const LONGEST_FILE = 250;
const LONGEST_FUNCTION = 40;

/** Whether a function is the body of a `describe`, which is as long as what is said of its subject. */
const isSuite = ({ parent }) => {
  let called = parent.type === 'CallExpression' ? parent.callee : null;
  while (called && called.type !== 'Identifier') called = called.callee ?? called.object ?? called.tag ?? called.consequent;
  return called?.name === 'describe';
};

/** As max-lines-per-function, which has no exception for suites. */
const functionLength = {
  create: (context) => ({
    ':function'(node) {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > LONGEST_FUNCTION && !isSuite(node))
        context.report({ node, message: `A function of ${lines} lines: at most ${LONGEST_FUNCTION}. Part it by what it does.` });
    },
  }),
};

/** Words of the dialect that comments, messages and documents no longer use. CONTRIBUTING.md names the field's terms. */
export const DIALECT =
  /\b(?:whoever|told|wish|asked|what\s+it\s+comes\s+to|lest|unawares|mend|deeds|hearsay|for\s+ever|by\s+itself|stands|holds\s+good)\b/gi;

/** Tests of the rule, which plant such words. */
const PLANTS_WORDS = ['test/architecture/lint.more.spec.ts', 'test/architecture/words.spec.ts'];

/** Refuses the words of DIALECT in comments, and in texts of more than one word: messages, help, test titles. */
const plainWords = {
  create: (context) => {
    const check = (node, text) => {
      // A phrase may go on in the next line of its comment.
      for (const [word] of text.replaceAll(/\n\s*\* /g, ' ').matchAll(DIALECT))
        context.report({ loc: node.loc, message: `Use the field's term instead of "${word}": CONTRIBUTING.md has the glossary.` });
    };
    const checkText = (node, text) => /\s/.test(text) && check(node, text);
    return {
      Program: () => context.sourceCode.getAllComments().forEach((comment) => check(comment, comment.value)),
      Literal: (node) => typeof node.value === 'string' && checkText(node, node.value),
      TemplateElement: (node) => checkText(node, node.value.raw),
    };
  },
};

const restricted = (...extra) => ({ 'no-restricted-syntax': ['error', noDefaultExport, ...extra] });

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'coverage/', '.data/', 'test/architecture/planted/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...restricted(),
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A port's method is asynchronous for its callers' sake, whether or not this adapter has anything to wait for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['libs/**/*.ts'],
    ignores: ['libs/adapters/**', '**/*.spec.ts'],
    rules: restricted(...Object.values(onlyThroughPorts).flat()),
  },
  {
    files: ['apps/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fixtures.ts'],
    rules: restricted(...noAdapterHandedOn, ...Object.values(onlyThroughPorts).flat()),
  },
  ...WITHOUT_A_PORT.map(({ file, reaches }) => ({
    files: [file],
    rules: restricted(
      ...noAdapterHandedOn,
      ...Object.entries(onlyThroughPorts).flatMap(([what, selectors]) => (what === reaches ? [] : selectors)),
    ),
  })),
  { plugins: { petstore: { rules: { 'function-length': functionLength, 'plain-words': plainWords } } } },
  {
    files: ['**/*.ts', '**/*.js', '**/*.mjs'],
    ignores: PLANTS_WORDS,
    rules: { 'petstore/plain-words': 'error' },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    rules: { 'max-lines': ['error', LONGEST_FILE], 'petstore/function-length': 'error' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.recommended],
    rules: { eqeqeq: 'error' },
  },
  { files: ['**/*.mjs'], rules: restricted() },
);
