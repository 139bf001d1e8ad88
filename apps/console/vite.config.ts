import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The licenses of the packages require their notices in copies, and the bundles are such. */
const NOTICE = '/*! Contains Preact, (c) 2015-present Jason Miller, and uPlot, (c) Leon Sorokin, under the MIT license. */';
const WORKER_NOTICE = '/*! Contains noble-hashes and noble-ed25519, (c) Paul Miller, under the MIT license. */';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(pathOf('../../package.json'), 'utf8')) as { readonly version: string };

/** Builds the console into three files with fixed names, which each api serves at `/ops` (contract 43). */
export default defineConfig({
  root: import.meta.dirname,
  // All addresses come from the page at run time: PUBLIC_URL may have a path.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  define: { PROGRAM_VERSION: JSON.stringify(version) },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // A browser has no modules of Node, so the code that verifies gets other primitives (contract 35.18).
  resolve: { alias: [{ find: /^.*\/primitives\.js$/, replacement: pathOf('verify/primitives.ts') }] },
  worker: {
    format: 'es',
    rollupOptions: { output: { postBanner: WORKER_NOTICE, entryFileNames: 'verify.js', codeSplitting: false } },
  },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: ['chrome117', 'firefox119', 'safari17.4'],
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rollupOptions: {
      input: 'main.tsx',
      output: { postBanner: NOTICE, entryFileNames: 'console.js', assetFileNames: 'console.css', codeSplitting: false },
    },
  },
});
