/** The attempts from one network since its last success. */
type NetworkAttempts = {
  readonly failures: number;
  /** Milliseconds since 1970, like the other times. */
  readonly lastAt: number;
  /** When somebody last signed in to the account from this network. */
  readonly signedInAt?: number;
};

/** What is stored of the attempts to sign in to one account. */
export type AccountAttempts = {
  /** The begin of the hour in which `failures` are counted. */
  readonly since: number;
  /** The failures in that hour, from all networks. */
  readonly failures: number;
  /** By the digest of the network. */
  readonly networks: Readonly<Record<string, NetworkAttempts>>;
};

export const NO_ATTEMPTS: AccountAttempts = { since: 0, failures: 0, networks: {} };

/** Failures from one network before attempts from it must wait. */
export const FREE_FAILURES = 5;
/** The longest wait in seconds between two attempts from one network. */
export const MAX_WAIT_SECONDS = 60;
/** Failures from all networks in an hour, after which only networks of earlier sign-ins may try. */
export const MAX_HOURLY_FAILURES = 100;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long a network of a sign-in is remembered. */
const REMEMBERED = 90 * DAY;
/** The maximum number of remembered networks of one account. The latest stay. */
const MAX_REMEMBERED = 50;

const isWithin = (time: number, period: number, now: number): boolean => Math.abs(now - time) < period;

/**
 * Returns the seconds until the account accepts another attempt from a network, 0 if it does now. Somebody may have set the clock, so
 * no wait is longer than its rule says.
 */
export const waitOf = ({ since, failures, networks }: AccountAttempts, network: string, now: number): number => {
  const own = networks[network];
  const isOver = own !== undefined && own.failures >= FREE_FAILURES && isWithin(own.lastAt, HOUR, now);
  const pause = isOver ? Math.min(MAX_WAIT_SECONDS, 2 ** (own.failures - FREE_FAILURES)) * 1_000 : 0;
  const isCrowded = failures >= MAX_HOURLY_FAILURES && isWithin(since, HOUR, now) && own?.signedInAt === undefined;
  const waits = [Math.min(pause, (own?.lastAt ?? 0) + pause - now), isCrowded ? Math.min(HOUR, since + HOUR - now) : 0];
  return Math.max(0, Math.ceil(Math.max(...waits) / 1_000));
};

/** Returns the attempts after one more failure. */
export const failed = (attempts: AccountAttempts, network: string, now: number): AccountAttempts => {
  const { since, failures } = isWithin(attempts.since, HOUR, now) ? attempts : { since: now, failures: 0 };
  const own = attempts.networks[network];
  const earlier = own && isWithin(own.lastAt, HOUR, now) ? own.failures : 0;
  return {
    since,
    failures: failures + 1,
    networks: remembered({ ...attempts.networks, [network]: { ...own, failures: earlier + 1, lastAt: now } }, now),
  };
};

/** Returns whether somebody has signed in from a network. */
export const hasSignedIn = ({ networks }: AccountAttempts, network: string): boolean => networks[network]?.signedInAt !== undefined;

/** Returns whether another success from a network would change nothing that counts: the last one was today, and no attempt has failed since. */
export const isRecent = ({ networks }: AccountAttempts, network: string, now: number): boolean => {
  const own = networks[network];
  return own?.signedInAt !== undefined && own.failures === 0 && isWithin(own.signedInAt, DAY, now);
};

/** Returns the attempts after a success from a network that no failure was counted for. */
export const signedInAgain = ({ since, failures, networks }: AccountAttempts, network: string, now: number): AccountAttempts => ({
  ...{ since, failures },
  networks: remembered({ ...networks, [network]: { failures: 0, lastAt: now, signedInAt: now } }, now),
});

/** Returns the attempts after the last failure from a network has turned out to be a success. */
export const succeeded = (attempts: AccountAttempts, network: string, now: number): AccountAttempts =>
  signedInAgain({ ...attempts, failures: Math.max(0, attempts.failures - 1) }, network, now);

/** Returns when the last of the attempts no longer counts: ISO 8601. */
export const rememberedUntil = ({ networks }: AccountAttempts, now: number): string => {
  const signIns = Object.values(networks).flatMap(({ signedInAt }) => (signedInAt === undefined ? [] : [signedInAt + REMEMBERED]));
  return new Date(Math.max(now + HOUR, ...signIns)).toISOString();
};

/** Returns the networks that still count. */
const remembered = (networks: AccountAttempts['networks'], now: number): AccountAttempts['networks'] => {
  const kept = Object.entries(networks).filter(
    ([, { lastAt, signedInAt }]) => isWithin(lastAt, HOUR, now) || (signedInAt !== undefined && isWithin(signedInAt, REMEMBERED, now)),
  );
  const signedIn = kept.filter(([, { signedInAt }]) => signedInAt !== undefined);
  const forgotten = signedIn.toSorted(([, one], [, other]) => Number(other.signedInAt) - Number(one.signedInAt)).slice(MAX_REMEMBERED);
  return Object.fromEntries(kept.filter((entry) => !forgotten.includes(entry)));
};
