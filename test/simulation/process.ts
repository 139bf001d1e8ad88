import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Timeline } from './timeline.js';

/** The time of day at the begin of every run. */
const BEGIN = Date.parse('2026-03-01T12:00:00.000Z');

/** Milliseconds by which the time of day of a machine is ahead or behind at most. */
export const MOST_SKEW = 2_500;

/** A machine: processes of the service run on it, one after the other. */
export type Machine = {
  readonly name: string;
  /** Milliseconds by which its time of day is ahead. */
  skew: number;
};

/** Where a process crashes: at one of its next calls to servers, before or after the server has done what the call asks for. */
export type CrashPoint = {
  readonly calls: number;
  readonly isBefore: boolean;
  /** Counts only calls that change something. Most calls of an idle process look for work. */
  readonly ofWrites: boolean;
};

const WRITES = /^(?:append|apply|enqueue|record|complete|retry|send|commit|destroy|write)/;

/** Returns where a process crashes, by two numbers from 0 to 1. */
export const crashPointOf = (first: number, second: number): CrashPoint => ({
  calls: 1 + Math.floor(((first * 10) % 1) * 8),
  isBefore: second < 0.5,
  ofWrites: first < 0.7,
});

/**
 * One process of the service, from its start to its end. After a crash, nothing that it waits for ever arrives: its code stops where it
 * is. While it is paused, everything waits.
 */
export class Process {
  isAlive = true;
  readonly clock: Clock;
  private readonly bornAt: number;
  private waiting: (() => void)[] | null = null;
  private crashIn: (CrashPoint & { left: number }) | null = null;
  private onCrash: () => void = () => undefined;

  constructor(
    readonly name: string,
    readonly machine: Machine,
    private readonly timeline: Timeline,
  ) {
    this.bornAt = timeline.now;
    this.clock = {
      now: () => new Date(BEGIN + Math.floor(timeline.now + machine.skew)),
      elapsed: () => Math.floor(timeline.now - this.bornAt),
      after: (milliseconds, work) => timeline.after(milliseconds, () => this.receive(work)),
    };
  }

  /** Runs what reaches the process: a timer, or the answer to a call. */
  receive(work: () => void): void {
    if (!this.isAlive) return;
    if (this.waiting) this.waiting.push(work);
    else work();
  }

  crash(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.waiting = null;
    this.onCrash();
  }

  crashAt(point: CrashPoint, onCrash: () => void): void {
    this.crashIn = { ...point, left: point.calls };
    this.onCrash = onCrash;
  }

  /** Counts a call. Returns whether the process crashes at it. */
  nextCall(call: string): 'goes on' | 'crashes before' | 'crashes after' {
    if (!this.crashIn || (this.crashIn.ofWrites && !WRITES.test(call)) || --this.crashIn.left > 0) return 'goes on';
    const { isBefore } = this.crashIn;
    this.crashIn = null;
    return isBefore ? 'crashes before' : 'crashes after';
  }

  pause(milliseconds: number): void {
    if (!this.isAlive || this.waiting) return;
    this.waiting = [];
    this.timeline.after(milliseconds, () => {
      const waiting = this.waiting ?? [];
      this.waiting = null;
      // Each in a step of its own: what one sets off may go on before the next arrives.
      for (const work of waiting) this.timeline.after(0, () => this.receive(work));
    });
  }
}
