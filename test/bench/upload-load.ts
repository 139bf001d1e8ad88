/** The process that uploads images for `images.bench.ts`. If it were a thread of the benchmark, it would delay the reads. */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileUpload } from '../http/image-files.js';
import { caller, type Call } from '../servers/calling.js';

/**
 * The first message to this process. Later messages are `start`, which begins the uploads, and `stop`, which ends them. Any other
 * message ends the process.
 */
export type UploadPlan = {
  readonly url: string;
  readonly token: string;
  readonly paths: readonly string[];
  /** The image, as base64. */
  readonly photo: string;
  readonly atOnce: number;
};

const nextMessage = async (): Promise<unknown> => {
  const [message] = (await once(process, 'message')) as unknown[];
  return message;
};

/** Runs `atOnce` uploads in parallel, again and again, until a message arrives. Returns the number of stored images. */
const upload = async (call: Call, body: ReturnType<typeof fileUpload>, { paths, atOnce }: UploadPlan): Promise<number> => {
  let isStopped = false;
  process.once('message', () => (isStopped = true));
  let [begun, stored] = [0, 0];
  const uploadInTurn = async (): Promise<void> => {
    while (!isStopped) {
      const { status, text } = await call('POST', `${paths[begun++ % paths.length]}/images`, body);
      if (status === 201) stored++;
      // A busy service rejects uploads with 503.
      else if (status !== 503) throw new Error(`${status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, uploadInTurn));
  return stored;
};

// Clients of a real service run on other machines. With a low priority, this process takes little CPU from the others.
setPriority(constants.priority.PRIORITY_LOW);
const plan = (await nextMessage()) as UploadPlan;
const body = fileUpload(Buffer.from(plan.photo, 'base64'));
// The benchmark starts its measured rounds after this message, so the start of this process does not delay the measured reads.
process.send?.('ready');
while ((await nextMessage()) === 'start') process.send?.(await upload(caller(plan.url, plan.token), body, plan));
process.disconnect();
