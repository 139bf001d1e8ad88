import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * The options of a connection string that name a file, each with the check of the file's content. The keys are option
 * names in lower case, without `_` and `-`.
 */
const CHECKS = new Map<string, { readonly content: string; readonly check: (pem: Buffer) => unknown }>([
  ['tlscafile', { content: 'a certificate in PEM', check: (pem) => new X509Certificate(pem) }],
  ['usercertfile', { content: 'a certificate in PEM', check: (pem) => new X509Certificate(pem) }],
  ['userkeyfile', { content: 'a private key in PEM', check: createPrivateKey }],
]);

/**
 * Checks the certificate files that a connection string names. Throws a RangeError with the option and the file if a file
 * is unusable. Without this check, the client's error would not name the file, and a file without a certificate would
 * cause no error.
 */
export const checkCertificateFiles = (url: string): void => {
  const [, query = ''] = url.split('?', 2);
  for (const option of query.split('&')) {
    const [name = '', value = ''] = option.split('=', 2);
    const file = CHECKS.get(name.trim().toLowerCase().replace(/[_-]/g, ''));
    if (!file) continue;
    const path = decode(value.trim());
    const pem = read(path, name);
    try {
      file.check(pem);
    } catch {
      throw new RangeError(`the address of EventStoreDB names ${name}=${path}, which does not contain ${file.content}`);
    }
  }
};

const read = (path: string, name: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? `cannot be read (${(error as Error).message})`;
    throw new RangeError(`the address of EventStoreDB names ${name}=${path}, which ${reason}`, { cause: error });
  }
};

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'is not readable by this user',
};

const decode = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};
