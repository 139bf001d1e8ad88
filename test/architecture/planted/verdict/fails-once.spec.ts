import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const MARK = join(process.env['PLANTED_MARKS'] ?? '', 'fails-once');

it('fails in its first run only', () => {
  const isFirst = !existsSync(MARK);
  writeFileSync(MARK, '');
  expect(isFirst).toBe(false);
});
