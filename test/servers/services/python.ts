import { install } from './real-server.js';
import { orMissing, type Missing } from './shared.js';

/**
 * The interpreter of a Python that has what `python-packages.txt` beside this file lists, pinned and hashed; it is put into the
 * cache once. So programs that others wrote, in another language, read the store's topics and check its signatures.
 */
export const sharedPython = (): Promise<{ readonly python: string } | Missing> =>
  orMissing(install('python').then((python) => ({ python })));
