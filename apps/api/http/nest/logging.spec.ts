import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { nestLogger } from './logging.js';

const said = (...error: [unknown, ...unknown[]]): readonly unknown[] => {
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  nestLogger(log).error(...error);
  return lines;
};

describe('an error that Nest tells', () => {
  it('is told with what Nest knows of it', () =>
    expect(said('it broke', undefined, 'ExceptionHandler')).toEqual([
      { level: 50, from: 'nest', detail: ['ExceptionHandler'], msg: 'it broke' },
    ]));

  it('is left to whoever started the application, when that throws it as well', () =>
    expect(said('Error: listen EADDRINUSE', undefined, 'NestApplication')).toEqual([]));
});
