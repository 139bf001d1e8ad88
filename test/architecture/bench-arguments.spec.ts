import { describe, expect, it } from '@jest/globals';
import { HELP, PART_NAMES, parseArguments } from '../bench/arguments.js';

describe('npm run bench', () => {
  it('runs every part without arguments', () => expect(parseArguments([])).toEqual({ kind: 'run', parts: PART_NAMES }));

  it('runs the named parts in the order of the report', () =>
    expect(parseArguments(['peers', 'http'])).toEqual({ kind: 'run', parts: ['http', 'peers'] }));

  it.each([['--help'], ['-h'], ['http', '--help']])('shows the help for the arguments %s %s', (...args) =>
    expect(parseArguments(args)).toEqual({ kind: 'exit', text: HELP, code: 0 }),
  );

  it('rejects an unknown part in one line, with exit code 2', () =>
    expect(parseArguments(['log', 'nonsense', '--fast'])).toEqual({
      kind: 'exit',
      text: 'Unknown part: nonsense, --fast. The parts are http, log, distributed, peers, sign-in, images, traces, changes, rebuild, searches; npm run bench -- --help explains them.\n',
      code: 2,
    }));

  it('compares with the build in one other checkout', () => {
    expect(parseArguments(['compare', '../before'])).toEqual({ kind: 'compare', checkout: '../before' });
    for (const args of [['compare'], ['compare', '../before', 'http']])
      expect(parseArguments(args)).toMatchObject({ kind: 'exit', code: 2, text: expect.stringMatching(/^compare needs one folder/) });
  });

  it('lists every part in its help', () => {
    for (const part of PART_NAMES) expect(HELP).toMatch(new RegExp(`^  ${part} `, 'm'));
  });
});
