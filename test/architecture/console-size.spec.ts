import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';

/** More would be noticed on a slow line, and would most likely be a package by mistake. */
const MAX_BYTES = 150_000;
/** Of the worker, which the page loads only to verify an export. */
const MAX_WORKER_BYTES = 30_000;

const FILES = ['console.js', 'console.css'].map((name) => join(ROOT, 'dist', 'console', name));
const WORKER = join(ROOT, 'dist', 'console', 'verify.js');
/** `npm run build` writes the files. Without them, for example in a run of this suite alone, there is nothing to measure. */
const itIfBuilt = [...FILES, WORKER].every((file) => existsSync(file)) ? it : it.skip;

describe('the console', () => {
  itIfBuilt('is small', () => {
    const sizes = FILES.map((file) => gzipSync(readFileSync(file)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });

  itIfBuilt('verifies in a small worker, which contains the notices of its packages and no module of Node', () => {
    const code = readFileSync(WORKER, 'utf8');
    expect(gzipSync(code).length).toBeLessThan(MAX_WORKER_BYTES);
    const texts = ['Contains noble', ROOT, 'sourceMappingURL', 'node:', 'browser-external'];
    expect(texts.map((text) => code.includes(text))).toEqual([true, false, false, false, false]);
  });

  itIfBuilt('contains the notices of its packages, and no addresses of this machine', () => {
    const [code = ''] = FILES.map((file) => readFileSync(file, 'utf8'));
    expect(['Contains Preact', ROOT, 'sourceMappingURL'].map((text) => code.includes(text))).toEqual([true, false, false]);
  });
});
