import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { ARCHITECTURE, architectureDocument } = (await import(join(ROOT, 'scripts/architecture.mjs'))) as {
  readonly ARCHITECTURE: string;
  readonly architectureDocument: () => string;
};

const stateOf = (text: string): string => (text === architectureDocument() ? 'fresh' : 'stale: run npm run format');

describe('docs/architecture.md', () => {
  it('shows the current import rule', () => expect(stateOf(readFileSync(join(ROOT, ARCHITECTURE), 'utf8'))).toBe('fresh'));

  it('is reported as stale with an additional arrow', () => {
    const text = architectureDocument();
    expect(stateOf(text.replace('flowchart TD', 'flowchart TD\n  libs_ports --> libs_domain'))).toMatch('npm run format');
  });
});
