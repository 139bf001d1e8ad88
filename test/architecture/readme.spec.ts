import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FAILURE_REASONS } from '../../libs/adapters/gateway/index.js';
import { DEFAULT_URL, DEFAULTS } from '../../libs/settings/settings.js';

const README = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

const section = (title: string): string => README.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

describe('the README', () => {
  it('names the document that lists every setting', () => {
    expect(section('Configuration')).toContain('docs/configuration.md');
  });

  it('calls the store where it is, and names the folder that it keeps, unless set otherwise', () => {
    const called = [...README.matchAll(/http:\/\/[^/\s]+(?=\/v1)/g)].map(([url]) => url);
    expect(new Set(called)).toEqual(new Set([DEFAULT_URL]));
    expect(README).toContain(`\`${DEFAULTS.dataDir}\``);
  });

  it('names every reason for which a payment with a test number fails', () => {
    const reasons = FAILURE_REASONS.filter((reason) => reason !== 'instrument_unknown');
    expect(reasons.filter((reason) => !section('Numbers to pay with').includes(`\`${reason}\``))).toEqual([]);
  });
});
