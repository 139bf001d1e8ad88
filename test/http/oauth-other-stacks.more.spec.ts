import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runProgram, ROOT } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { install } from '../servers/services/real-server.js';
import { catchServerMissing } from '../servers/services/shared.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { addClient, authorize, createPerson, discover } from './oauth-people.js';

const CONSUMERS = join(ROOT, 'test', 'consumers');

/** Signs a person in. Returns the id of the person, and the arguments of the programs. */
const signIn = async (store: TestPetstore) => {
  const user = await createPerson(store);
  const client = await addClient(store);
  const config = await discover(store, client);
  const { id_token: idToken = '', access_token: accessToken } = await authorize(store, config, user.username);
  return { user, programArguments: [config.serverMetadata().issuer, client.id, idToken, accessToken] };
};

/** Expects that a program accepts the metadata, the keys, the ID token and the access token of the service. */
const expectAccepted = async (program: string, before: readonly string[]): Promise<void> => {
  const store = await startTestPetstore();
  try {
    const { user, programArguments } = await signIn(store);
    expect(await runProgram(program, [...before, ...programArguments])).toMatchObject({
      code: 0,
      stdout: `${user.id}\n${user.id}\n`,
      stderr: '',
    });
  } finally {
    await store.stop();
  }
};

const authlib = await catchServerMissing(install('authlib').then((python) => ({ python, versions: 'Authlib' })));

/** Proves contract 5.2, contract 31.1 and contract 32.2. */
describeIfAvailable('a program with Authlib', authlib, ({ python }) => {
  it('accepts the metadata, an ID token and an access token', () => expectAccepted(python, [join(CONSUMERS, 'verify_tokens.py')]));
});

const spring = await catchServerMissing(install('spring').then((jars) => ({ jars, versions: 'Spring Security' })));

/** Proves contract 5.2, contract 31.1 and contract 32.2. */
describeIfAvailable('a program with Spring Security', spring, ({ jars }) => {
  it('accepts the metadata, an ID token and an access token', () =>
    expectAccepted('java', ['-cp', join(jars, '*'), join(CONSUMERS, 'VerifyTokens.java')]));
});
