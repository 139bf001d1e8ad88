/** The process that uploads images for `images.bench.ts`. */
import { fileUpload } from '../http/image-files.js';
import { caller } from '../servers/calling.js';
import { runLoad } from './run-load.js';

export type UploadPlan = {
  readonly url: string;
  readonly token: string;
  readonly paths: readonly string[];
  /** The image, as base64. */
  readonly photo: string;
  readonly atOnce: number;
};

await runLoad(({ url, token, paths, photo, atOnce }: UploadPlan) => {
  const call = caller(url, token);
  const body = fileUpload(Buffer.from(photo, 'base64'));
  return async (isStopped) => {
    let [begun, stored] = [0, 0];
    const uploadInTurn = async (): Promise<void> => {
      while (!isStopped()) {
        const { status, text } = await call('POST', `${paths[begun++ % paths.length]}/images`, body);
        if (status === 201) stored++;
        // A busy service rejects uploads with 503.
        else if (status !== 503) throw new Error(`${status}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, uploadInTurn));
    return stored;
  };
});
