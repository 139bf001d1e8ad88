import { join } from 'node:path';
import { install } from './real-server.js';
import { catchServerMissing, type Missing } from './shared.js';

/** Generators of clients, installed in the cache. */
export type Generators = {
  /** Returns the full path of a script. `path` begins with the name of the npm package. */
  readonly script: (path: string) => string;
  /** The Python that has openapi-python-client and the packages that its clients import. */
  readonly python: string;
};

/** The jars of openapi-generator and of its clients in Java, a folder. */
export const sharedOpenapiGenerator = (): Promise<{ readonly jars: string } | Missing> =>
  catchServerMissing(install('openapi-generator').then((jars) => ({ jars })));

/** The folder of the program oapi-codegen. */
export const sharedOapiCodegen = (): Promise<{ readonly program: string } | Missing> =>
  catchServerMissing(install('oapi-codegen').then((folder) => ({ program: join(folder, 'oapi-codegen') })));

/**
 * Installs the generators once, with pinned and hashed packages. They are not development dependencies of the repository,
 * because they need 150 packages with 110 MB in total, and openapi-typescript needs an older TypeScript.
 */
export const sharedGenerators = (): Promise<Generators | Missing> =>
  catchServerMissing(
    Promise.all([install('generators'), install('python-generator')]).then(([folder, python]) => ({
      script: (path) => join(folder, 'node_modules', path),
      python,
    })),
  );
