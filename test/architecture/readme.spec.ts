import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FAILURE_REASONS } from '../../libs/adapters/gateway/index.js';
import { SETTINGS } from '../../libs/settings/settings.js';

const README = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

const section = (title: string): string => README.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
const rows = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^\| (.*) \|$/gm)].slice(1).map(([, row]) => (row ?? '').split(' | ').map((cell) => cell.replace(/^`(.*)`$/, '$1')));

describe('the README', () => {
  it('lists every setting with its default and meaning, and none that is not there', () => {
    expect(rows(section('Configuration'))).toEqual(SETTINGS.map((setting) => [setting.name, setting.default, setting.meaning]));
  });

  it('names every reason for which a payment with a test number fails', () => {
    const reasons = FAILURE_REASONS.filter((reason) => reason !== 'instrument_unknown');
    expect(reasons.filter((reason) => !section('Numbers to pay with').includes(`\`${reason}\``))).toEqual([]);
  });
});
