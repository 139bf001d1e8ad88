import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { ConsoleLinks } from './console-links.js';

/** Proves contract 43.11. */
describe('the one-time link of a process', () => {
  let clock: ManualClock;
  let links: ConsoleLinks;
  let made: number;
  beforeEach(() => {
    [clock, made] = [manualClock(), 0];
    links = new ConsoleLinks(clock, (size) => new Uint8Array(size).fill(++made));
  });

  it('has a secret of 32 random bytes, which the process does not keep', () => {
    const secret = links.create();
    expect(Buffer.from(secret, 'base64url').length).toBe(32);
    expect(JSON.stringify(links)).not.toContain(secret);
  });

  it('is used up by the first use of the right secret, and by no wrong one', () => {
    const secret = links.create();
    expect(['', 'wrong', `${secret}=`, secret.toLowerCase()].map((wrong) => links.use(wrong))).toEqual([false, false, false, false]);
    expect([links.use(secret), links.use(secret)]).toEqual([true, false]);
  });

  it('expires after 10 minutes', () => {
    const secrets = [links.create()];
    clock.advance(599_999);
    expect(links.use(secrets[0] ?? '')).toBe(true);
    secrets.push(links.create());
    clock.advance(600_000);
    expect(links.use(secrets[1] ?? '')).toBe(false);
  });

  it('does not live longer when the clock of the machine is set back', () => {
    const secret = links.create();
    clock.advance(600_000);
    clock.set('2020-01-01T00:00:00Z');
    expect(links.use(secret)).toBe(false);
  });

  it('is replaced by the next one, and does not exist before the first', () => {
    expect(links.use('')).toBe(false);
    const [first, second] = [links.create(), links.create()];
    expect([links.use(first), links.use(second)]).toEqual([false, true]);
  });
});
