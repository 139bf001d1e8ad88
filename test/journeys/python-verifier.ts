import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../servers/program.js';
import type { Received } from '../servers/receiver.js';

/** Something received, and what it is to be verified with: an endpoint's secret, or the service's public key. */
type Verifiable = Pick<Received, 'headers' | 'body'> & ({ readonly secret: string } | { readonly publicKey: string });

const SCRIPT = join(ROOT, 'test', 'journeys', 'verify_deliveries.py');

/** What others' software in Python makes of each: `ok`, or why not. */
export const verifiedInPython = (python: string, deliveries: readonly Verifiable[]): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const child = execFile(python, [SCRIPT], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr, { cause: error }));
      else resolve(JSON.parse(stdout) as readonly string[]);
    });
    child.stdin?.end(JSON.stringify(deliveries));
  });
