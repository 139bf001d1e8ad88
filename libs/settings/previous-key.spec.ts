import { describe, expect, it } from '@jest/globals';
import { parseSettings, SettingsError, type Environment } from './settings.js';

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

const SERVERS = { EVENTSTOREDB_URL: 'esdb://log:2113', MONGODB_URL: 'mongodb://db/?replicaSet=rs0', KAFKA_BROKERS: 'k1:9092' };

describe('the settings', () => {
  it('accept KEY_ENCRYPTION_KEY_PREVIOUS only with another KEY_ENCRYPTION_KEY (contract 31.4)', () => {
    const [key, previous] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    expect(
      parseSettings({ ...SERVERS, KEY_ENCRYPTION_KEY: key, KEY_ENCRYPTION_KEY_PREVIOUS: previous }).previousKeyEncryptionKey?.[0],
    ).toBe(2);
    expect(problemsOf({ ...SERVERS, KEY_ENCRYPTION_KEY_PREVIOUS: previous })).toEqual([
      expect.stringMatching(/^KEY_ENCRYPTION_KEY is missing: KEY_ENCRYPTION_KEY_PREVIOUS is only its former value/),
    ]);
    expect(problemsOf({ ...SERVERS, KEY_ENCRYPTION_KEY: key, KEY_ENCRYPTION_KEY_PREVIOUS: key })).toEqual([
      expect.stringMatching(/^KEY_ENCRYPTION_KEY_PREVIOUS equals KEY_ENCRYPTION_KEY/),
    ]);
  });
});
