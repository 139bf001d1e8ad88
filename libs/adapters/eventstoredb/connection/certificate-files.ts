import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The options of an address that name a file, in lower case, and how to check the content of the file. */
const CHECKS = new Map<string, { readonly content: string; readonly check: (pem: Buffer) => unknown }>([
  ['tlscafile', { content: 'a certificate in PEM', check: (pem) => new X509Certificate(pem) }],
  ['usercertfile', { content: 'a certificate in PEM', check: (pem) => new X509Certificate(pem) }],
  ['userkeyfile', { content: 'a private key in PEM', check: createPrivateKey }],
]);

/**
 * Checks the certificate files that an address names. Throws a RangeError with the option and the file if one is
 * unusable. The client's own error does not name the file, and a file without a certificate causes no error.
 */
export const readCertificateFiles = (url: string): void => {
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
