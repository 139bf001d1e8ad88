import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../servers/program.js';
import type { ReceivedRequest } from '../servers/receiver.js';

/** A received request with the key that verifies it: the endpoint's secret for a webhook, the public key for a callback. */
type Verifiable = Pick<ReceivedRequest, 'headers' | 'body'> & ({ readonly secret: string } | { readonly publicKey: string });

const SCRIPT = join(ROOT, 'test', 'journeys', 'verify_deliveries.py');

/** Verifies the signatures of requests in Python. Returns `ok` or the error for each request. */
export const verifyInPython = (python: string, deliveries: readonly Verifiable[]): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const child = execFile(python, [SCRIPT], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr, { cause: error }));
      else resolve(JSON.parse(stdout) as readonly string[]);
    });
    child.stdin?.end(JSON.stringify(deliveries));
  });
