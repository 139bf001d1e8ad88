import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROLES } from '../../apps/worker/role-names.js';
import { SETTINGS, type Setting } from '../../libs/settings/setting-table.js';
import { parseSettings, SettingsError, type Environment } from '../../libs/settings/settings.js';
import { composeVariables, DEPLOY, exampleVariables, readCompose, readManifests, substituteVariables } from './deploy-files.js';
import { environmentOf, readDockerfile } from './dockerfile.js';

const DEFAULTS: ReadonlyMap<string, string | null> = new Map(
  Object.values<Setting>(SETTINGS).map((setting) => [setting.name, setting.default]),
);
const NAMES: ReadonlySet<string> = new Set(DEFAULTS.keys());

const image = environmentOf(readDockerfile(readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8')));
const { services } = readCompose();
const own = Object.entries(services).filter(([, { image: name }]) => name.startsWith('petstore:'));
const manifests = readManifests();
const configMap = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
const secret = manifests.find(({ kind }) => kind === 'Secret')?.stringData ?? {};

const KEY = randomBytes(32).toString('base64');

/** Returns the variables of .env.example with test values for the secrets that prepare.sh generates. */
const variables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(exampleVariables()).map(([name, value]) => [name, value || (name === 'KEY_ENCRYPTION_KEY' ? KEY : 'secret')]),
  );

const composeEnvironment = (service: string): Environment => ({
  ...image,
  ...Object.fromEntries(
    Object.entries(services[service]?.environment ?? {}).map(([name, value]) => [name, substituteVariables(String(value), variables())]),
  ),
});

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

/** The settings that the service must have in every deployment. */
const SAFE = { nodeEnv: 'production', accessPolicy: 'strict', host: '0.0.0.0', servers: { kafkaReplication: 3 } };

/** Proves contract 27.4 and contract 27.5. */
describe('the settings of the deployment', () => {
  it.each([
    ['the image', Object.keys(image)],
    ...own.map(([name, { environment }]) => [`${name} in compose.yaml`, Object.keys(environment)] as const),
    ['the ConfigMap', Object.keys(configMap)],
    ['the Secret', Object.keys(secret)],
  ])('of %s are all known settings', (_, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !NAMES.has(name))).toEqual([]);
  });

  it('repeat no default value except the ports, to which probes and services refer', () => {
    const given = [
      ...Object.entries(image),
      ...own.flatMap(([, { environment }]) => Object.entries(environment)),
      ...Object.entries(configMap),
    ];
    const isDefault = ([name, value]: readonly [string, unknown]): boolean => DEFAULTS.get(name) === String(value);
    expect(new Set(given.filter(isDefault).map(([name]) => name))).toEqual(new Set(['PORT', 'WORKER_PORT']));
  });

  it('of .env.example are known settings or variables of compose.yaml', () => {
    expect(Object.keys(exampleVariables()).filter((name) => !NAMES.has(name) && !composeVariables().has(name))).toEqual([]);
  });

  it('that are variables of compose.yaml are all in .env.example', () => {
    expect([...composeVariables()].filter((name) => !(name in exampleVariables()))).toEqual([]);
    expect(composeVariables().size).toBeGreaterThan(0);
  });

  it.each(own.map(([name]) => name))('let %s start in production', (name) => {
    expect(problemsOf(composeEnvironment(name))).toEqual([]);
    expect(parseSettings(composeEnvironment(name))).toMatchObject({
      ...SAFE,
      keyEncryptionKey: new Uint8Array(Buffer.from(KEY, 'base64')),
    });
  });

  it('let pods start in production when the Secret contains a key', () => {
    const env = { ...image, ...configMap, ...secret, KEY_ENCRYPTION_KEY: KEY };
    expect(problemsOf(env)).toEqual([]);
    expect(parseSettings(env)).toMatchObject(SAFE);
  });

  it('contain no usable secret by default', () => {
    expect(problemsOf({ ...image, ...configMap, ...secret })).toContainEqual(expect.stringMatching(/^KEY_ENCRYPTION_KEY is \[redacted\]/));
    const given = Object.entries(exampleVariables()).filter(([, value]) => value !== '');
    expect(given).toEqual([['PUBLIC_URL', 'http://127.0.0.1:3000']]);
  });

  it('name the brokers that compose.yaml starts', () => {
    const brokers = Object.keys(services).filter((name) => name.startsWith('kafka-'));
    for (const [name] of own)
      expect(parseSettings(composeEnvironment(name)).servers?.kafkaBrokers).toEqual(brokers.map((broker) => `${broker}:9092`));
  });

  it('assign every role to a worker', () => {
    const rolesIn = (words: readonly string[] = []): readonly string[] => words[words.indexOf('--roles') + 1]?.split(',') ?? [];
    const workers = own.filter(([, { command }]) => command?.[0] === 'worker');
    expect(workers.map(([, { command }]) => rolesIn(command))).toEqual([ROLES, ROLES]);
    const pods = manifests.map(({ spec }) => argsOf(spec)).filter(([command]) => command === 'worker');
    expect(pods.flatMap(rolesIn).sort()).toEqual([...ROLES].sort());
  });
});

/** Returns the arguments of the containers in a pod template. Returns an empty list for an object without one. */
const argsOf = (spec: unknown): readonly string[] => {
  const { template } = (spec ?? {}) as { template?: { spec: { containers: { args: string[] }[] } } };
  return template?.spec.containers.flatMap(({ args }) => args) ?? [];
};
