import { claimsOf, type Claims } from './access.js';
import { placeOf } from './place.js';
import { createStore } from './store.js';

/** Who uses the page. */
export type Session = {
  /** Null before the first token, and after signing out. After the end of a token they remain, so that the page keeps its place. */
  readonly claims: Claims | null;
  readonly isActive: boolean;
  /** Why nobody is signed in; absent at the beginning. */
  readonly notice?: string;
  /** Increases with each token, so that reads begin again. */
  readonly version: number;
  /** Increases when somebody else signs in, of whose predecessor the page must forget everything. */
  readonly person: number;
};

/** The token is only here: neither in storage nor in a cookie or an address, so it ends with the page. */
let token: string | undefined;
let end: ReturnType<typeof setTimeout> | undefined;

export const session = createStore<Session>({ claims: null, isActive: false, version: 0, person: 0 });

/** The longest delay of a timer in a browser. */
const MAX_DELAY = 2 ** 31 - 1;

const forget = (): void => {
  token = undefined;
  clearTimeout(end);
};

/** Returns the headers that prove who sends a request. */
export const authorization = (): Readonly<Record<string, string>> => (token === undefined ? {} : { authorization: `Bearer ${token}` });

/** Ends the use of the token, for example because its time has passed. The page stays where it is. */
export const endSession = (notice: string): void => {
  if (token === undefined) return;
  forget();
  session.set({ ...session.get(), isActive: false, notice });
};

const isAnother = (before: Claims | null, { subject, tenant, scopes }: Claims): boolean =>
  before !== null && (before.subject !== subject || before.tenant !== tenant || [...before.scopes].some((scope) => !scopes.has(scope)));

/** Shows a notice to somebody who is not signed in. */
export const setNotice = (notice: string): void => session.set({ ...session.get(), notice });

/** Uses a token from now on. Returns why it cannot be used, or null. */
export const startSession = (given: string): string | null => {
  const claims = claimsOf(given, placeOf());
  if (claims === null) return 'This is not an access token: a token has three parts, separated by dots.';
  const { endsAt } = claims;
  const left = endsAt === undefined ? MAX_DELAY : endsAt - Date.now();
  if (left <= 0) return 'This token has already ended.';
  forget();
  // What one person has seen must not remain for another.
  if (isAnother(session.get().claims, claims))
    session.set({ ...session.get(), claims: null, isActive: false, person: session.get().person + 1 });
  token = given;
  end = setTimeout(() => endSession('Your access token has ended.'), Math.min(left, MAX_DELAY));
  session.set({ claims, isActive: true, version: session.get().version + 1, person: session.get().person });
  return null;
};

/** Forgets the token and everything that was shown with it. A sign-in ends at the service, too. */
export const signOut = async (): Promise<void> => {
  const { claims, version } = session.get();
  const headers = authorization();
  forget();
  const person = session.get().person + 1;
  session.set({ claims: null, isActive: false, notice: 'You have signed out.', version: version + 1, person });
  if (claims?.hasSession !== true || headers['authorization'] === undefined) return;
  // The page has forgotten the token in any case. Without an answer, the session ends at its time.
  await fetch(`${placeOf().root}v1/auth/tokens/current`, { method: 'DELETE', headers }).catch(() => undefined);
};
