import { readFileSync } from 'node:fs';
import { eventually } from '../eventually.js';

/** The unit of processor time in /proc, in milliseconds. */
const TICK = 10;
/** The shortest time over which a share is measured, in milliseconds. */
const WINDOW = 1_000;

/** The processor time of a process so far, in milliseconds. */
const cpuTime = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
};

/**
 * Waits for a second in which a process uses at most this share of one processor, for example 0.05. Returns
 * the share that it used.
 */
export const waitUntilIdle = async (pid: number, maxShare: number): Promise<number> => {
  let [since, used] = [performance.now(), cpuTime(pid)];
  const { share } = await eventually(`a second in which process ${pid} is idle`, () => {
    const [now, cpu] = [performance.now(), cpuTime(pid)];
    if (now - since < WINDOW) return null;
    const share = (cpu - used) / (now - since);
    [since, used] = [now, cpu];
    if (share > maxShare) throw new Error(`it uses ${Math.round(share * 100)} % of a processor`);
    return { share };
  });
  return share;
};
