import { describe, expect, it } from '@jest/globals';
import { SETTINGS, type Setting } from '../../libs/settings/setting-table.js';
import { parseSettings, SettingsError } from '../../libs/settings/settings.js';
import { BAD_SETTINGS, BAD_VALUES_EACH } from './bad-settings.js';
import { SECRET } from './bad-values.js';

/** A message must be shorter than this. Longer messages would hide those about other settings. */
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

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Proves contract 27.4. */
describe.each(Object.values(SETTINGS))('$name', (setting: Setting) => {
  const { name, isSecret, form } = setting;
  const values = BAD_SETTINGS[name as keyof typeof BAD_SETTINGS];

  it(`has at least ${BAD_VALUES_EACH} different invalid values here`, () =>
    expect(new Set(values).size).toBeGreaterThanOrEqual(BAD_VALUES_EACH));

  it.each(values.map((value) => ({ value, shown: JSON.stringify(value.slice(0, 60)) })))(
    'rejects $shown with its name, the value and what is expected',
    ({ value }) => {
      const [problem = '', ...others] = problemsOf(name, value).filter((text) => text.startsWith(`${name} is `));
      expect(others).toEqual([]);
      expect(problem).toMatch(new RegExp(`^${name} is ${isSecret ? '\\[redacted\\]' : '"[^\\n]*"'}: expected ${quoted(form.expected)}$`));
      expect(problem).not.toContain(SECRET);
      expect(problem.length).toBeLessThan(MOST_CHARACTERS);
      const repeated = JSON.stringify(value.trim().slice(0, 100)).slice(1, -1);
      if (!problem.includes('[redacted]')) expect(problem).toContain(repeated);
    },
  );
});

describe('a value that once broke the start or every response', () => {
  const RANGES = 'expected IP addresses or CIDRs (/0 is not accepted), separated by commas, for example 10.0.0.0/8,192.168.1.1';
  const URL_FORM = 'expected an http or https URL without query, fragment or credentials, for example https://pets.example.com';

  it.each([
    ['TRUSTED_PROXIES', '0.0.0.0/0', `TRUSTED_PROXIES is "0.0.0.0/0": ${RANGES}`],
    ['TRUSTED_PROXIES', '999.1.1.1', `TRUSTED_PROXIES is "999.1.1.1": ${RANGES}`],
    ['TRUSTED_PROXIES', ':', `TRUSTED_PROXIES is ":": ${RANGES}`],
    ['PUBLIC_URL', 'http://a"b', `PUBLIC_URL is "http://a\\"b": ${URL_FORM}`],
  ])('%s=%s is rejected with a message of one line', (name, value, line) => expect(problemsOf(name, value)).toEqual([line]));
});

const SERVERS = { EVENTSTOREDB_URL: 'esdb://log:2113', MONGODB_URL: 'mongodb://db/?replicaSet=rs0', KAFKA_BROKERS: 'k1:9092' };

describe('an unusual valid value', () => {
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
  ])('is accepted: %j', (env) => expect(() => parseSettings(env)).not.toThrow());
});
