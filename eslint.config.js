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

/** "Clock, Ids: nothing else reads the time, randomness or the network; so whole runs can be simulated from a seed." */
const onlyThroughPorts = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'The time comes from the Clock port, or is passed in.' },
  {
    selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    message: 'The time comes from the Clock port, or is passed in.',
  },
  { selector: 'CallExpression[callee.object.name="Math"][callee.property.name="random"]', message: 'Randomness comes from the Ids port.' },
  { selector: 'CallExpression[callee.name="fetch"]', message: 'The network is reached through the ports.' },
  { selector: 'CallExpression[callee.name=/^set(Timeout|Interval)$/]', message: 'Waiting goes through the Clock port.' },
];

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'coverage/', '.data/', 'test/architecture/planted/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', noDefaultExport],
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
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, ...onlyThroughPorts] },
  },
  {
    files: ['apps/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, ...noAdapterHandedOn] },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [tseslint.configs.recommended],
    rules: { eqeqeq: 'error' },
  },
  { files: ['**/*.mjs'], rules: { 'no-restricted-syntax': ['error', noDefaultExport] } },
);
