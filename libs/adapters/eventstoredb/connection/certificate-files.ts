import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The options of an address that name a file, in lower case as the client compares them, and what each file must hold. */
const CHECKS = new Map<string, { readonly holds: string; readonly check: (pem: Buffer) => unknown }>([
  ['tlscafile', { holds: 'a certificate in PEM', check: (pem) => new X509Certificate(pem) }],
  ['usercertfile', { holds: 'a certificate in PEM', check: (pem) => new X509Certificate(pem) }],
  ['userkeyfile', { holds: 'a private key in PEM', check: createPrivateKey }],
]);

/**
 * Reads the certificate files that an address names, and throws a RangeError that names the option and the file when one
 * cannot be used. The client says the same of each file, and nothing of one that holds no certificate.
 */
export const readCertificateFiles = (url: string): void => {
  const [, query = ''] = url.split('?', 2);
  for (const option of query.split('&')) {
    const [name = '', value = ''] = option.split('=', 2);
    const file = CHECKS.get(name.trim().toLowerCase().replace(/[_-]/g, ''));
    if (!file) continue;
    const path = decoded(value.trim());
    const pem = read(path, name);
    try {
      file.check(pem);
    } catch {
      throw new RangeError(`the address of EventStoreDB names ${name}=${path}, which does not hold ${file.holds}`);
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
  EACCES: 'this user may not read',
};

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};
