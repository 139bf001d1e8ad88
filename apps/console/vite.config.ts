import { defineConfig } from 'vite';

/** The licenses of both packages require their notices in copies, and the bundle is one. */
const NOTICE = '/*! Contains Preact, (c) 2015-present Jason Miller, and uPlot, (c) Leon Sorokin, under the MIT license. */';

/** Builds the console into two files with fixed names, which each api serves at `/ops` (contract 43). */
export default defineConfig({
  root: import.meta.dirname,
  // All addresses come from the page at run time: PUBLIC_URL may have a path.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
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
