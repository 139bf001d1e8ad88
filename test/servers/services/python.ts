import { install } from './real-server.js';
import { catchServerMissing, type Missing } from './shared.js';

/**
 * Installs Python with the packages of `python-packages.txt` into the cache, unless it is there. Tests read topics and
 * verify signatures with these packages, which are independent of this repository.
 */
export const sharedPython = (): Promise<{ readonly python: string } | Missing> =>
  catchServerMissing(install('python').then((python) => ({ python })));
