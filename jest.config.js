import { DEADLINES } from './test/deadlines.ts';

/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  // Fails a suite that leaves a process, a port or a temporary folder behind.
  testEnvironment: '<rootDir>/test/environment.js',
  testRegex: '\\.spec\\.ts$',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  // Not in the temporary folder, because each run has its own.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testTimeout: process.env.PETSTORE_LONG_TESTS === 'yes' ? DEADLINES.longTest : DEADLINES.test,
  // Jest keeps some of what a suite has loaded. Collecting a heap of gigabytes would take longer than the tests.
  workerIdleMemoryLimit: '800MB',
  // Planted violations are not tests. Tests that need a container engine run by `npm run test:containers`, and
  // tests of what the other suites have seen run at the end of `npm test`.
  testPathIgnorePatterns: ['/node_modules/', '/test/architecture/planted/', '\\.(containers|last)\\.spec\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};
