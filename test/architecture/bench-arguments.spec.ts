import { describe, expect, it } from '@jest/globals';
import { HELP, PART_NAMES, planFrom } from '../bench/arguments.js';

describe('the arguments of npm run bench', () => {
  it('run every part when none is named', () => expect(planFrom([])).toEqual({ kind: 'run', parts: PART_NAMES }));

  it('run the named parts, in the order of the report', () =>
    expect(planFrom(['peers', 'http'])).toEqual({ kind: 'run', parts: ['http', 'peers'] }));

  it.each([['--help'], ['-h'], ['http', '--help']])('show the help: %s %s', (...args) =>
    expect(planFrom(args)).toEqual({ kind: 'exit', text: HELP, code: 0 }),
  );

  it('are rejected in one line with exit code 2 when a part is unknown', () =>
    expect(planFrom(['log', 'nonsense', '--fast'])).toEqual({
      kind: 'exit',
      text: 'Unknown part: nonsense, --fast. The parts are http, log, distributed, peers; npm run bench -- --help explains them.\n',
      code: 2,
    }));

  it('have a help that lists every part', () => {
    for (const part of PART_NAMES) expect(HELP).toMatch(new RegExp(`^  ${part} `, 'm'));
  });
});
