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

  /** Tells a call of a process to a server, and its answer. Reads that find nothing new are left out. */
  tell(process: Process, call: string, answer: { readonly text: () => string }, isLost = false): void {
    if (!this.isTold || isRead(call) || IDLE.test(call)) return;
    const text = answer.text();
    if (text !== 'null' && text !== '[]') this.add(process.name, `${call}: ${text}${isLost ? ' (the answer is lost)' : ''}`);
  }

  add(who: string, what: string): void {
    if (this.isTold) this.lines.push(`${this.timeline.now.toFixed(1).padStart(9)} ms  ${who.padEnd(8)} ${what}`);
  }
}

/** Calls that processes repeat all the time. */
const IDLE = /^(?:extend|prepare|shorten)/;
