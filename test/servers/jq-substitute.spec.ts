import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './program.js';

const jq = (args: readonly string[], input: unknown): string =>
  execFileSync(process.execPath, [join(ROOT, 'test', 'servers', 'jq-substitute.mjs'), ...args], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });

describe('the substitute for jq', () => {
  it.each([
    [['.'], { a: 1 }, '{\n  "a": 1\n}\n'],
    [['-r', '.id'], { id: 'x' }, 'x\n'],
    [['.status'], { status: 'placed' }, '"placed"\n'],
    [['.data[].name'], { data: [{ name: 'Ada' }, { name: 'Bo' }] }, '"Ada"\n"Bo"\n'],
    [['{status, failureReason}'], { id: 1, status: 'failed' }, '{\n  "status": "failed",\n  "failureReason": null\n}\n'],
  ])('evaluates %j as jq does', (args, input, printed) => {
    expect(jq(args, input)).toBe(printed);
  });
});
