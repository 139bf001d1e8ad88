import { isRead } from './link.js';
import type { Process } from './process.js';
import type { Timeline } from './timeline.js';

/** What happens in a run, line by line. Only a run that is told keeps the lines. */
export class Story {
  readonly lines: string[] = [];

  constructor(
    private readonly timeline: Timeline,
    private readonly isTold: boolean,
  ) {}

  /** Tells a call that a process sent to a server at `sentAt`, and its answer. Reads that find nothing new are left out. */
  tell(process: Process, call: string, answer: { readonly text: () => string }, sentAt: number, isLost = false): void {
    if (!this.isTold || isRead(call) || IDLE.test(call)) return;
    const text = answer.text();
    if (text === 'null' || text === '[]') return;
    const sent = this.timeline.now - sentAt > SLOW ? ` (sent at ${sentAt.toFixed(1)} ms)` : '';
    this.add(process.name, `${call}: ${text}${sent}${isLost ? ' (the answer is lost)' : ''}`);
  }

  add(who: string, what: string): void {
    if (this.isTold) this.lines.push(`${this.timeline.now.toFixed(1).padStart(9)} ms  ${who.padEnd(8)} ${what}`);
  }
}

/** Milliseconds after which a call is told with the time when it was sent. */
const SLOW = 50;

/** Calls that processes repeat all the time. */
const IDLE = /^(?:extend|prepare|shorten)/;
