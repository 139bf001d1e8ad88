import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { nestLogger } from './logging.js';

const logged = (...error: [unknown, ...unknown[]]): readonly unknown[] => {
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  nestLogger(log).error(...error);
  return lines;
};

describe('an error that Nest logs', () => {
  it('is logged with its details', () =>
    expect(logged('it broke', undefined, 'ExceptionHandler')).toEqual([
      { level: 50, from: 'nest', detail: ['ExceptionHandler'], msg: 'it broke' },
    ]));

  it('is not logged if Nest also throws it', () => expect(logged('Error: listen EADDRINUSE', undefined, 'NestApplication')).toEqual([]));
});
