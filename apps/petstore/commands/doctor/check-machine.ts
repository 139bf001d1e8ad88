import { createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { TakenPort, TlsServer } from '../../composition/inspect-machine.js';
import { found, type Finding } from './finding.js';

/** The part of a disk that should be free. */
const FREE = 0.1;
/** Bytes below which a disk counts as full: a large commit takes some hundred KiB. */
const FULL_BYTES = 1024 * 1024;
/** Milliseconds by which two clocks may differ. */
const MAX_CLOCK_DIFFERENCE = 60_000;
const DAY = 86_400_000;
/** Days before its end from which on a certificate or a token is reported. */
const ENDS_WITHIN = 14;
/** A token with a shorter lifetime than this is made for one purpose, and is not reported. */
const LONG_LIVED = 30 * DAY;

/** Compares the free space of a folder's disk with what the service needs. */
export const checkDisk = (
  folder: string,
  { freeBytes, bytes }: { readonly freeBytes: number; readonly bytes: number },
): readonly Finding[] => {
  const remedy = 'make room: writes need it, and reads go on without it';
  if (freeBytes < FULL_BYTES) return [found('disk-full', `the disk of ${folder} is full: ${freeBytes} bytes are free`, remedy)];
  const percent = Math.floor((freeBytes / bytes) * 100);
  return freeBytes / bytes < FREE ? [found('disk-nearly-full', `the disk of ${folder} has ${percent} % free`, remedy)] : [];
};

/** Compares the clock of this machine with a time of another clock, such as that of the last event. */
export const checkClock = (other: Date, whose: string, now: Date, how: 'may be older' | 'is now'): readonly Finding[] => {
  const difference = other.getTime() - now.getTime();
  const isWrong = how === 'is now' ? Math.abs(difference) > MAX_CLOCK_DIFFERENCE : difference > MAX_CLOCK_DIFFERENCE;
  if (!isWrong) return [];
  const text = `the clock of this machine is ${Math.round(Math.abs(difference) / 1_000)} seconds ${difference > 0 ? 'behind' : 'ahead of'} ${whose}`;
  return [found('clock-wrong', text, 'set the clock, and let it follow a time server; until then events get wrong times')];
};

/** Returns the ports that another program uses, so that a process cannot start. */
export const checkPorts = (taken: readonly TakenPort[]): readonly Finding[] =>
  taken.map(({ setting, host, port, code }) =>
    found(
      'port-in-use',
      code === 'EADDRINUSE'
        ? `another program uses ${setting} ${port} on ${host}`
        : `${setting} ${port} on ${host} cannot be used: ${code}`,
      `end the other program, or set ${setting} to a free port`,
    ),
  );

/** Returns a finding if the certificate of a server has expired or ends soon. */
export const checkCertificate = ({ name, host, port, end }: TlsServer & { readonly end: Date }, now: Date): readonly Finding[] => {
  const days = Math.floor((end.getTime() - now.getTime()) / DAY);
  const remedy = `renew the certificate of ${name}, and restart it`;
  if (days < 0)
    return [found('certificate-expired', `the certificate of ${name} (${host}:${port}) has expired at ${end.toISOString()}`, remedy)];
  return days < ENDS_WITHIN ? [found('certificate-ends', `the certificate of ${name} (${host}:${port}) ends in ${days} days`, remedy)] : [];
};

/** Returns whether the file with the keys of checkpoints can be used. */
export const checkSigningKey = ({ signingKeyFile }: Pick<Settings, 'signingKeyFile'>): readonly Finding[] => {
  if (signingKeyFile === undefined) return [];
  try {
    // Reading a named pipe would block.
    if (!statSync(signingKeyFile).isFile()) throw new Error('it is not a file');
    createPrivateKey(readFileSync(signingKeyFile, 'utf8'));
    return [];
  } catch (error) {
    return [
      found(
        'keys-unusable',
        `SIGNING_KEY_FILE ${signingKeyFile} cannot be used: ${reasonOf(error)}`,
        'put the file back, or correct the path',
      ),
    ];
  }
};

/** Returns a finding if a long-lived token ends soon. Its signature is not verified: the service does that. */
export const checkToken = (token: string, now: Date): readonly Finding[] => {
  const { exp, iat } = claimsOf(token);
  if (exp === undefined) return [];
  const end = exp * 1_000;
  const lifetime = iat === undefined ? Infinity : end - iat * 1_000;
  const isNear = end - now.getTime() < ENDS_WITHIN * DAY && lifetime >= LONG_LIVED;
  return isNear
    ? [
        found(
          'token-ends',
          `the token of PETSTORE_TOKEN or --token ends at ${new Date(end).toISOString()}`,
          'make a new one: petstore token --scope SCOPES --expires-in 90d',
        ),
      ]
    : [];
};

const claimsOf = (token: string): { readonly exp?: number; readonly iat?: number } => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { exp?: number; iat?: number };
  } catch {
    return {};
  }
};
