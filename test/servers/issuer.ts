import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT, type JWK } from 'jose';

/** A signing key of an issuer. */
export type IssuerKey = { readonly kid: string; readonly alg: string; readonly privateKey: KeyObject; readonly jwk: JWK };

/** An issuer of tokens on this machine: it serves its discovery document and its keys, and signs tokens. */
export type TestIssuer = {
  readonly url: string;
  /** The paths of all received requests, in order. */
  readonly requests: string[];
  /** Sets the keys that the issuer serves from now on. */
  publish(...keys: readonly IssuerKey[]): void;
  /** Replaces the response at a path. If `listener` is null, the issuer sends its own response again. */
  answer(path: string, listener: RequestListener | null): void;
  /** Signs a token for the audience `petstore`, by default with the first key. `changes` overrides claims of the token. */
  sign(changes?: object, by?: { readonly key?: IssuerKey; readonly header?: object }): Promise<string>;
  /** Closes the port. `start` opens the same one again. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export const DISCOVERY = '/.well-known/openid-configuration';
export const KEYS = '/keys';

const PAIRS: Readonly<Record<string, () => { readonly publicKey: KeyObject; readonly privateKey: KeyObject }>> = {
  EdDSA: () => generateKeyPairSync('ed25519'),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
};

/** Creates a key for an algorithm. If PAIRS does not contain the algorithm, creates an RSA key. */
export const createIssuerKey = async (kid: string, alg = 'ES256'): Promise<IssuerKey> => {
  const { publicKey, privateKey } = PAIRS[alg]?.() ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
};

/** Starts an issuer with these keys on a free port. */
export const startIssuer = async (...first: readonly IssuerKey[]): Promise<TestIssuer> => {
  let keys = first;
  let port = 0;
  let server: Server | null = null;
  const requests: string[] = [];
  const answers = new Map<string, RequestListener>();
  const url = (): string => `http://127.0.0.1:${port}`;
  const documents: Readonly<Record<string, () => object>> = {
    [DISCOVERY]: () => ({ issuer: url(), jwks_uri: `${url()}${KEYS}` }),
    [KEYS]: () => ({ keys: keys.map(({ jwk }) => jwk) }),
  };
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answer = answers.get(path.split('?')[0] ?? '');
    if (answer) return void answer(request, response);
    const document = documents[path]?.();
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}));
  };
  const start = async (): Promise<void> => {
    const opened = createServer(listener);
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    ({ port } = opened.address() as AddressInfo);
    server = opened;
  };
  await start();
  return {
    url: url(),
    requests,
    publish: (...next) => void (keys = next),
    answer: (path, next) => void (next ? answers.set(path, next) : answers.delete(path)),
    sign: (changes = {}, { key = first[0], header = {} } = {}) => signWith(key, { iss: url(), ...changes }, header),
    start,
    async stop() {
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    },
  };
};

const HOUR = 3_600;

const signWith = (key: IssuerKey | undefined, claims: object, header: object): Promise<string> => {
  if (!key) throw new Error('the issuer has no key');
  const now = Math.floor(Date.now() / 1_000);
  const payload = { sub: 'ann', aud: 'petstore', iat: now, exp: now + HOUR, scope: 'read:pets', ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header }).sign(key.privateKey);
};
