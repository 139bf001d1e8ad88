import { placeOf } from './place.js';
import { startSession } from './session.js';

/** The channel by which the window of the sign-in answers. */
const CHANNEL = 'petstore-console';
const SCOPES = 'ops audit:read';

/** What the window sends back: a code, or an error of OAuth. */
type Answer = { readonly code: string | null; readonly state: string | null; readonly error: string | null };

/** A sign-in that can begin at a click. */
export type Prepared = {
  /** Opens the window. Returns why signing in has failed, or null when the token is in use. */
  readonly begin: () => Promise<string | null>;
};

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

type Endpoints = { readonly authorization: string; readonly token: string };

const endpointsOf = async (): Promise<Endpoints> => {
  const { root, issuer } = placeOf();
  if (issuer === '') return { authorization: new URL(`${root}oauth/authorize`, location.href).href, token: `${root}oauth/token` };
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = (await response.json()) as Readonly<
    Record<string, string>
  >;
  if (!authorizationUrl || !tokenUrl) throw new Error('its configuration names no addresses');
  return { authorization: authorizationUrl, token: tokenUrl };
};

/** Returns why signing in is not possible here, or null. */
export const signInHindrance = (): string | null => {
  const { publicUrl, client } = placeOf();
  if (new URL(publicUrl).origin !== location.origin)
    return `Signing in is possible only at the public address of this service: ${publicUrl.replace(/\/$/, '')}/ops`;
  if (client === '')
    return 'Another service issues the tokens. Register this page there as a public client, and set CONSOLE_CLIENT_ID to its id.';
  if (!isSecureContext) return 'Signing in needs https or localhost, because browsers offer cryptography only there.';
  return null;
};

/** The channel of a sign-in that waits. Nobody answers on it if the window was closed. */
let waiting: BroadcastChannel | undefined;

const awaitAnswer = (state: string): Promise<Answer> =>
  new Promise((resolve) => {
    waiting?.close();
    const channel = new BroadcastChannel(CHANNEL);
    waiting = channel;
    channel.onmessage = ({ data }: MessageEvent<Answer>) => {
      // Another tab may be signing in at the same time, and an answer without our state is not for us.
      if (data.state !== state) return;
      channel.close();
      resolve(data);
    };
  });

const exchange = async ({ token }: Endpoints, code: string, verifier: string): Promise<string | null> => {
  const { client, redirectUri } = placeOf();
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: client,
    code_verifier: verifier,
  });
  const response = await fetch(token, { method: 'POST', body });
  const answer = (await response.json()) as {
    readonly access_token?: string;
    readonly error_description?: string;
    readonly error?: string;
  };
  if (answer.access_token !== undefined) return startSession(answer.access_token);
  return `Signing in failed: ${answer.error_description ?? answer.error ?? `the service answered ${response.status}`}`;
};

/**
 * Prepares a sign-in by a code with PKCE (RFC 7636). What takes time is done before, because browsers open a window only
 * within a click.
 */
export const prepareSignIn = async (): Promise<Prepared> => {
  const [verifier, state] = [random(), random()];
  const endpoints = await endpointsOf();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const { client, redirectUri } = placeOf();
  const address = new URL(endpoints.authorization);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: redirectUri,
    scope: SCOPES,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }).toString();
  return {
    begin: async () => {
      const answered = awaitAnswer(state);
      if (window.open(address, 'petstore-sign-in', 'popup,width=520,height=720') === null)
        return 'The browser has blocked the window of the sign-in. Allow windows of this page, and try again.';
      const { code, error } = await answered;
      if (code === null) return `Signing in failed: ${error ?? 'no code came back'}`;
      return exchange(endpoints, code, verifier);
    },
  };
};

/** Sends what the address of this window says to the page that opened it, and closes the window. Returns a text in case it stays open. */
export const answerFromWindow = (): string => {
  const query = new URLSearchParams(location.search);
  const answer: Answer = {
    code: query.get('code'),
    state: query.get('state'),
    error: query.get('error_description') ?? query.get('error'),
  };
  // The code is of no use without its verifier, and yet it should not stay in the history.
  history.replaceState(null, '', location.pathname);
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(answer);
  channel.close();
  window.close();
  return answer.code === null ? 'Signing in has failed. Close this window, and try again.' : 'You are signed in. Close this window.';
};
