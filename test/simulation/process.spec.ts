import { describe, expect, it } from '@jest/globals';
import { clockContract } from '../contract/clock.contract.js';
import { Process } from './process.js';
import { Timeline } from './timeline.js';

const start = (timeline = new Timeline()) => {
  const process = new Process('m1.1', { name: 'm1', skew: 0 }, timeline);
  const pass = async (milliseconds: number): Promise<void> =>
    void (await timeline.run(
      timeline.now + milliseconds,
      () => false,
      () => undefined,
    ));
  return { process, clock: process.clock, pass };
};

clockContract('the clock of a simulated process', () => start());

describe('a simulated process', () => {
  it('goes on after a pause as if no time had passed, one piece of work after the other', async () => {
    const { process, clock, pass } = start();
    const done: string[] = [];
    for (const after of [10, 20, 200]) clock.after(after, () => void done.push(`${after} at ${clock.elapsed()}`));
    process.pause(100);
    await pass(300);
    expect(done).toEqual(['10 at 100', '20 at 100', '200 at 200']);
  });

  it('does nothing after a crash', async () => {
    const { process, clock, pass } = start();
    let runs = 0;
    clock.after(10, () => void runs++);
    process.crashAt({ calls: 2, isBefore: true, ofWrites: true }, () => undefined);
    const fates = ['append Made to pet-1', 'get pets/1', 'append Made to pet-1'].map((call) => process.nextCall(call));
    process.crash();
    await pass(20);
    expect([fates, runs]).toEqual([['goes on', 'goes on', 'crashes before'], 0]);
  });
});
