import { describe, expect, it } from '@jest/globals';
import { CommandError } from '../errors/command-error.js';
import { parseBound, parseDuration, parseTime } from './time-options.js';

const NOW = new Date('2026-01-02T03:04:05.678Z');

describe('parseBound', () => {
  it.each([
    ['2026-01-02T09:00:01.090Z', '2026-01-02T09:00:01.090Z'],
    ['2026-01-02T09:00:01.090000Z', '2026-01-02T09:00:01.090Z'],
    ['2026-01-02T09:00:01.090001Z', '2026-01-02T09:00:01.091Z'],
    ['2026-01-02T11:59:59.999000001+03:00', '2026-01-02T09:00:00.000Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ])('reads %s as the first millisecond that is not before it', (text, time) => {
    expect(parseBound('--to', text, NOW).toISOString()).toBe(time);
  });
});

describe('parseTime', () => {
  it.each([
    ['30s', '2026-01-02T03:03:35.678Z'],
    ['15m', '2026-01-02T02:49:05.678Z'],
    ['2h', '2026-01-02T01:04:05.678Z'],
    ['3d', '2025-12-30T03:04:05.678Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T01:00:00.5+01:00', '2026-01-01T00:00:00.500Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
  ])('reads %s as %s', (text, time) => expect(parseTime('--since', text, NOW).toISOString()).toBe(time));

  it.each(['', 'yesterday', '15', '1.5h', '-15m', '2w', '2026-02-30', '2026-01-01T00:00:00', '2026-01-01T25:00:00Z'])(
    'rejects %j with examples',
    (text) => {
      expect(() => parseTime('--since', text, NOW)).toThrow(CommandError);
      expect(() => parseTime('--since', text, NOW)).toThrow(/--since .* is not a time; .*15m/);
    },
  );
});

describe('parseDuration', () => {
  it.each([
    ['0s', 0],
    ['90m', 5_400_000],
    ['1d', 86_400_000],
    ['1y', null],
    ['soon', null],
  ])('reads %s as %p milliseconds', (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));
});
