import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

/** Sends requests until `isStopped`. Returns the number of successful ones. */
export type Load = (isStopped: () => boolean) => Promise<number>;

const nextMessage = async (): Promise<unknown> => {
  const [message] = (await once(process, 'message')) as unknown[];
  return message;
};

/**
 * Runs the program of a LoadProcess. The first message is its plan. Later messages are `start`, which begins the requests, and `stop`,
 * which ends them. Any other message ends the process.
 */
export const runLoad = async <Plan>(prepare: (plan: Plan) => Load): Promise<void> => {
  // Clients of a real service run on other machines. With a low priority, this process takes little CPU from the others.
  setPriority(constants.priority.PRIORITY_LOW);
  const load = prepare((await nextMessage()) as Plan);
  // The benchmark starts its measured rounds after this message, so the start of this process does not delay the measured reads.
  process.send?.('ready');
  while ((await nextMessage()) === 'start') {
    let isStopped = false;
    process.once('message', () => (isStopped = true));
    process.send?.(await load(() => isStopped));
  }
  process.disconnect();
};
