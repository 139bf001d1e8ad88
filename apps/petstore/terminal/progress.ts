import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';

const WIDTH = 30;
/** The minimum number of milliseconds between two drawings of the bar. */
const REDRAW_INTERVAL = 100;

/** The progress of long work. `done` replaces the bar with a summary. */
export type Progress = { at(count: number): void; done(count: number): void };

/**
 * Shows a bar with percentage, rate and remaining time on standard error. On a terminal, the bar is redrawn in place.
 * Without a terminal, a line is printed every ten per cent. `unit` is a plural, such as `pets`. `start` is the elapsed time at
 * which the work started.
 */
export const showProgress = (clock: Clock, total: number, unit: string, start = clock.elapsed()): Progress => {
  const out: NodeJS.WriteStream = process.stderr;
  const elapsed = (): number => clock.elapsed() - start;
  let drawn = -Infinity;
  let tenths = 0;
  const line = (count: number): string => {
    const share = total === 0 ? 1 : Math.min(1, count / total);
    const seconds = elapsed() / 1000;
    const rate = seconds > 0 ? count / seconds : 0;
    const left = rate > 0 ? Math.ceil((total - count) / rate) : 0;
    const filled = Math.round(share * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${formatCount(count)} of ${formatCount(total)} ${unit}, ${formatCount(rate)} a second, ${left} s left`;
  };
  return {
    at(count) {
      if (!out.isTTY) {
        const now = Math.floor((count / total) * 10);
        if (now > tenths) out.write(`${line(count)}\n`);
        tenths = Math.max(tenths, now);
      } else if (elapsed() - drawn > REDRAW_INTERVAL) {
        drawn = elapsed();
        out.write(`\r\x1b[2K${line(count)}`);
      }
    },
    done(count) {
      const seconds = elapsed() / 1000;
      const summary = `${formatCount(count)} ${unit} in ${seconds.toFixed(1)} s, ${formatCount(count / Math.max(seconds, 0.001))} a second`;
      out.write(out.isTTY ? `\r\x1b[2K${summary}\n` : `${summary}\n`);
    },
  };
};

const formatCount = (count: number): string => Math.round(count).toLocaleString('en-US');
