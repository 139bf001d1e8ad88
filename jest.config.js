/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  // Fails a suite that leaves something behind.
  testEnvironment: '<rootDir>/test/environment.js',
  testRegex: '\\.spec\\.ts$',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  // Not in the temporary folder, which each run has for itself.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // No absolute time decides a test: this only ends one that hangs, and a busy machine is slow to start a store.
  testTimeout: 30_000,
  // Breaches of the import rule, not tests.
  testPathIgnorePatterns: ['/node_modules/', '/test/architecture/planted/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};
