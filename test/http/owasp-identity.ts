import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { attack, attacks, signInOf, type Attack, type Scene } from './owasp-attacks.js';
import { newUser, PASSWORD } from './shop.js';

const SIGN_IN = '/v1/auth/tokens';
const ME = '/v1/users/me';

/** Creates an account. Returns its id and its username. */
const newAccount = async ({ send }: Scene) => {
  const { username } = newUser();
  const { id } = (await send<{ id: string }>('nobody', 'POST', '/v1/users', { body: { ...newUser(), username } })).json;
  return { id, username };
};
const tokenOf = async ({ send }: Scene, account: Scene['ann']): Promise<string> =>
  (await send<{ token: string }>('nobody', 'POST', SIGN_IN, { body: signInOf(account) })).json.token;
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** API2:2023, broken authentication: nobody can act as another person without that person's password or token. */
export const AUTHENTICATION: readonly Attack[] = [
  ...attacks(
    {
      'a wrong password is sent': 'wrong horse battery',
      'the password is sent in upper case': PASSWORD.toUpperCase(),
      'the password is sent with a space': `${PASSWORD} `,
      'a wildcard is sent as a password': '%',
      'a condition is sent as a password': "' OR '1'='1",
      'a zero byte ends the password': `${PASSWORD}\u0000`,
      'a hash is sent as a password': '$argon2id$v=19$m=19456,t=2,p=1$6zhKu3CMuxWO7zNwAIEQBA$R7OGoj2JcGoexksj',
    },
    'contract 30.7',
    (password, { ann }) => ['nobody', 'POST', SIGN_IN, { body: signInOf(ann, password) }],
    401,
  ),
  ...attacks(
    {
      'a condition is sent as a username': "' OR '1'='1' --",
      'a wildcard is sent as a username': '*',
      'a filter is sent as a username': '*)(uid=*))(|(uid=*',
      'a look-alike is sent as a username': '\u0430dmin',
    },
    'contract 30.7',
    (username) => ['nobody', 'POST', SIGN_IN, { body: { username, password: PASSWORD } }],
    401,
  ),
  attack(
    'an unknown username gets another response than a wrong password',
    'contract 30.7',
    () => ['nobody', 'POST', SIGN_IN, { body: { username: randomUUID(), password: 'wrong horse battery' } }],
    401,
    async (response, { send, ann }) => {
      const wrong = await send('nobody', 'POST', SIGN_IN, { body: signInOf(ann, 'wrong horse battery') });
      expect([response.text, Object.keys(response.headers)]).toEqual([wrong.text, Object.keys(wrong.headers)]);
    },
  ),
  ...attacks(
    {
      'a database operator is sent as a password': { $ne: null },
      'a pattern is sent as a password': { $regex: '.*' },
      'a list of passwords is sent': [PASSWORD, '12345678'],
      'true is sent as a password': true,
      'zero is sent as a password': 0,
      'null is sent as a password': null,
      'an empty password is sent': '',
      'a password of a megabyte is sent': 'x'.repeat(1_000_000),
    },
    'contract 4.2',
    (password, { ann }) => ['nobody', 'POST', SIGN_IN, { body: { username: ann.username, password } }],
    422,
  ),
  attack(
    'many guesses are sent at once',
    'contract 4.2',
    ({ ann }) => ['nobody', 'POST', SIGN_IN, { body: [signInOf(ann, 'a'), signInOf(ann)] }],
    422,
  ),
  attack(
    'the right password is sent in another tenant',
    'contract 30.7',
    ({ ann, eveTenant }) => ['nobody', 'POST', SIGN_IN, { body: signInOf(ann), tenant: eveTenant }],
    401,
  ),
  attack(
    'the former password is sent',
    'contract 30.4',
    async (scene) => {
      const account = await newAccount(scene);
      const token = await tokenOf(scene, account);
      await scene.send('nobody', 'PUT', `/v1/users/${account.id}`, { token, body: { password: 'another horse battery' } });
      return ['nobody', 'POST', SIGN_IN, { body: signInOf(account) }];
    },
    401,
  ),
  attack(
    'the password of an erased account is sent',
    'contract 30.6',
    async (scene) => {
      const account = await newAccount(scene);
      await scene.send('operator', 'DELETE', `/v1/users/${account.id}`);
      return ['nobody', 'POST', SIGN_IN, { body: signInOf(account) }];
    },
    401,
  ),
  attack(
    'the token of an account is used in another tenant',
    'contract 6.3',
    async (scene) => ['nobody', 'GET', ME, { token: await tokenOf(scene, scene.ann), tenant: scene.eveTenant }],
    403,
  ),
  attack(
    'the password is sent as Basic',
    'contract 5.4',
    ({ ann }) => [
      'nobody',
      'GET',
      ME,
      { headers: { authorization: `Basic ${Buffer.from(`${ann.username}:${PASSWORD}`).toString('base64')}` } },
    ],
    401,
  ),
  attack(
    'no token is sent',
    'contract 5.4',
    () => ['nobody', 'GET', ME],
    401,
    ({ headers }) => expect(headers['www-authenticate']).toBe('Bearer realm="petstore"'),
  ),
  ...attacks(
    {
      'a token without a signature is sent': `${encoded({ alg: 'none', typ: 'at+jwt' })}.${encoded({ sub: 'ann', scope: 'ops', exp: 9_999_999_999 })}.`,
      'a malformed token is sent': 'a.b.c',
      'an id is sent as a token': randomUUID(),
    },
    'contract 5.4',
    (token) => ['nobody', 'GET', '/v1/pets', { token }],
    401,
    ({ headers }) => expect(headers['www-authenticate']).toContain('error="invalid_token"'),
  ),
  attack(
    'an expired token is sent',
    'contract 5.4',
    async ({ service, ann }) => ['nobody', 'GET', ME, { token: await service.token('ops', { subject: ann.id, expiresIn: -1 }) }],
    401,
  ),
  attack(
    'a token is sent in the address',
    'contract 5.1',
    async (scene) => ['nobody', 'GET', `${ME}?access_token=${await tokenOf(scene, scene.ann)}`],
    401,
  ),
  attack(
    'a token is sent in a cookie',
    'contract 5.1',
    async (scene) => ['nobody', 'GET', ME, { headers: { cookie: `token=${await tokenOf(scene, scene.ann)}` } }],
    401,
  ),
  attack(
    'a token is sent twice',
    'contract 5.4',
    async (scene) => ['nobody', 'GET', ME, { headers: { authorization: [`Bearer ${await tokenOf(scene, scene.ann)}`, 'Bearer a.b.c'] } }],
    401,
  ),
  attack(
    'a token of an account is kept by caches',
    'contract 30.7',
    ({ ann }) => ['nobody', 'POST', SIGN_IN, { body: signInOf(ann) }],
    201,
    ({ headers }) => expect(headers['cache-control']).toBe('no-store'),
  ),
  attack(
    'a short password is chosen',
    'contract 30.1',
    () => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), password: '1234567' } }],
    422,
  ),
  attack(
    'a name that is in use is chosen in upper case',
    'contract 30.2',
    ({ ann }) => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), username: ann.username.toUpperCase() } }],
    409,
  ),
];
