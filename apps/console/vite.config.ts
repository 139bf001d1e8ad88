import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** The licenses of the packages require their notices in copies, and the bundles are such. */
const NOTICE = '/*! Contains Preact, (c) 2015-present Jason Miller, and uPlot, (c) Leon Sorokin, under the MIT license. */';
const WORKER_NOTICE = '/*! Contains noble-hashes and noble-ed25519, (c) Paul Miller, under the MIT license. */';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(pathOf('../../package.json'), 'utf8')) as { readonly version: string };

const PRIMITIVES = new URL('../../libs/audit/proof/primitives.js', import.meta.url).href;

/** A browser has no modules of Node, so the code that verifies gets other primitives (contract 35.18). */
const browserPrimitives = (): Plugin => ({
  name: 'browser-primitives',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.endsWith('/primitives.js')) return null;
    return new URL(source, pathToFileURL(importer)).href === PRIMITIVES ? pathOf('verify/primitives.ts') : null;
  },
});

/** Builds the console into three files with fixed names, which each api serves at `/ops` (contract 43). */
export default defineConfig({
  root: import.meta.dirname,
  // All addresses come from the page at run time: PUBLIC_URL may have a path.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  define: { PROGRAM_VERSION: JSON.stringify(version) },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [browserPrimitives()],
  worker: {
    format: 'es',
    plugins: () => [browserPrimitives()],
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
