import { describe, expect, it } from '@jest/globals';
import { parseSettings, SETTINGS, SettingsError } from '../../libs/settings/settings.js';
import { BAD_SETTINGS, BAD_VALUES_EACH } from './bad-settings.js';
import { SECRET } from './bad-values.js';

/** Longer messages would hide what is said of the other settings. */
const MOST_CHARACTERS = 500;

const problemsOf = (name: string, value: string): readonly string[] => {
  try {
    parseSettings({ [name]: value });
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

const CASES = SETTINGS.flatMap(({ name }) =>
  BAD_SETTINGS[name].map((value) => ({ name, value, shown: JSON.stringify(value.slice(0, 60)) })),
);

describe.each(SETTINGS.map(({ name }) => name))('%s', (name) => {
  const values = BAD_SETTINGS[name];

  it(`is tried with at least ${BAD_VALUES_EACH} different bad values`, () =>
    expect(new Set(values).size).toBeGreaterThanOrEqual(BAD_VALUES_EACH));

  it.each(CASES.filter((one) => one.name === name))('is refused as $shown, with its name, its value and what is expected', ({ value }) => {
    const [problem = '', ...others] = problemsOf(name, value).filter((text) => text.startsWith(`${name} is `));
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name} is (?:"[^\\n]*"|\\[redacted\\]): say `));
    expect(problem).not.toContain(SECRET);
    expect(problem.length).toBeLessThan(MOST_CHARACTERS);
    const repeated = JSON.stringify(value.trim().slice(0, 100)).slice(1, -1);
    if (!problem.includes('[redacted]')) expect(problem).toContain(repeated);
  });
});

const SERVERS = { EVENTSTOREDB_URL: 'esdb://log:2113', MONGODB_URL: 'mongodb://db/?replicaSet=rs0', KAFKA_BROKERS: 'k1:9092' };

describe('a value that looks odd and is right', () => {
  it.each([
    { HOST: '::1' },
    { HOST: 'fe80::1', ACCESS_POLICY: 'strict' },
    { HOST: 'pet_store.local', ACCESS_POLICY: 'strict' },
    { DATA_DIR: 'data with spaces/~backup' },
    { DATA_DIR: '.' },
    { PUBLIC_URL: 'http://[::1]:3000/pets/' },
    { PUBLIC_URL: 'HTTPS://Pets.Example.COM' },
    { TRUSTED_PROXIES: '::ffff:10.0.0.1, 2001:db8::/32, 10.0.0.0/1' },
    { RATE_LIMIT: '1/1d' },
    { ORDER_HOLD: '3650d' },
    { STOP_WAIT: '0s' },
    { ...SERVERS, EVENTSTOREDB_URL: 'esdb+discover://me:p%40ss@a.example:2113,b.example:2113,[::1]:2113?tls=false&nodePreference=leader' },
    { ...SERVERS, MONGODB_URL: 'mongodb+srv://me:p%40ss@cluster.example.net/petstore?retryWrites=true&w=majority' },
    { ...SERVERS, MONGODB_URL: 'mongodb://me:p!$&ss@a:27017,b:27017,c:27017/petstore?replicaSet=rs0&authSource=admin' },
    { ...SERVERS, KAFKA_BROKERS: 'k1:9092, [::1]:9093,10.0.0.1:9094' },
    { ...SERVERS, KAFKA_USERNAME: 'O=Pets, CN=store', KAFKA_PASSWORD: 'pässword with spaces' },
  ])('is taken: %j', (env) => expect(() => parseSettings(env)).not.toThrow());
});
