import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

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
    file: 'apps/api/http/server/machine-time.ts',
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

/** Blank lines and comments count. */
const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 40;

/** Whether a function is the body of a `describe`, which may have any length. */
const isSuite = ({ parent }) => {
  let called = parent.type === 'CallExpression' ? parent.callee : null;
  while (called && called.type !== 'Identifier') called = called.callee ?? called.object ?? called.tag ?? called.consequent;
  return called?.name === 'describe';
};

/** Like max-lines-per-function, with an exception for test suites. */
const functionLength = {
  create: (context) => ({
    ':function'(node) {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > MAX_FUNCTION_LINES && !isSuite(node))
        context.report({ node, message: `A function has ${lines} lines; at most ${MAX_FUNCTION_LINES} are allowed. Split it.` });
    },
  }),
};

/** Words of the dialect that comments, messages and documents no longer use. CONTRIBUTING.md names the field's terms. */
export const DIALECT =
  /\b(?:whoever|told|wish|asked|what\s+it\s+comes\s+to|lest|unawares|mend|deeds|hearsay|for\s+ever|by\s+itself|stands|holds\s+good)\b/gi;

/** Tests of the rule. They contain the words on purpose. */
const PLANTS_WORDS = ['test/architecture/lint.more.spec.ts', 'test/architecture/words.spec.ts'];

/** Rejects the words of DIALECT in comments, and in strings of more than one word: messages, help, test titles. */
const plainWords = {
  create: (context) => {
    const check = (node, text) => {
      // A phrase may continue on the next line of its comment.
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

/** `eventually` repeats what fails, so a broken promise of the service would have no effect there. */
const noRepeatedInvariant = {
  selector: "CallExpression[callee.name='eventually'] CallExpression[callee.name='expectInvariant']",
  message: 'Call expectInvariant after eventually, on the log or on a settled store.',
};

const restricted = (...extra) => ({ 'no-restricted-syntax': ['error', noDefaultExport, noRepeatedInvariant, ...extra] });

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'coverage/', '.data/', '.cluster/', 'test/architecture/planted/', 'test/consumers/generated/']),
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
      // A port may require an async method although this adapter has nothing to await.
      '@typescript-eslint/require-await': 'off',
    },
  },
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
  ...WITHOUT_A_PORT.map(({ file, reaches }) => ({
    files: [file],
    rules: restricted(
      ...noAdapterReexport,
      ...Object.entries(onlyByPorts).flatMap(([what, selectors]) => (what === reaches ? [] : selectors)),
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
    rules: { 'max-lines': ['error', MAX_FILE_LINES], 'petstore/function-length': 'error' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.recommended],
    rules: { eqeqeq: 'error' },
  },
  { files: ['**/*.mjs'], rules: restricted() },
);
