import { it } from '@jest/globals';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

it('removes what it made', () => {
  rmdirSync(mkdtempSync(join(tmpdir(), 'remembered-')));
});
