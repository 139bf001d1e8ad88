import { it } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('passes, and leaves a temporary folder behind', () => {
  mkdtempSync(join(tmpdir(), 'forgotten-'));
});
