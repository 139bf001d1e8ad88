import { install } from './real-server.js';
import { catchServerMissing, type Missing } from './shared.js';

/**
 * Returns a Python with the packages of `python-packages.txt`, pinned by hash. It is installed into the cache
 * once. Third-party packages in another language read the topics and verify signatures.
 */
export const sharedPython = (): Promise<{ readonly python: string } | Missing> =>
  catchServerMissing(install('python').then((python) => ({ python })));
