import { expect, it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('fails, and leaves a temporary folder behind', () => {
  mkdtempSync(join(tmpdir(), 'forgotten-'));
  expect('what the test has found').toBe('what it expects');
});
