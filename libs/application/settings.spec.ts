import { describe, expect, it } from '@jest/globals';
import { isLoopback, parseSettings, SETTINGS, SettingsError, type Environment } from './settings.js';

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

describe('settings', () => {
  it('have a default each, so that nothing must be set', () => {
    expect(parseSettings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '.data',
      trustedProxies: [],
      rateLimit: { limit: 600, windowSeconds: 60 },
      accessPolicy: 'documented',
      orderHoldMilliseconds: 86_400_000,
      corsOrigins: [],
      logLevel: 'info',
      nodeEnv: 'development',
    });
  });

  it('are read as what they mean', () => {
    const settings = parseSettings({
      PORT: '8080',
      HOST: '0.0.0.0',
      DATA_DIR: ':memory:',
      PUBLIC_URL: 'https://pets.example.com/',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      RATE_LIMIT: '10/2m',
      ACCESS_POLICY: 'strict',
      ORDER_HOLD: '15m',
      CORS_ORIGINS: 'https://shop.example.com,http://localhost:5173',
      LOG_LEVEL: 'debug',
      NODE_ENV: 'production',
    });
    expect(settings).toEqual({
      port: 8080,
      host: '0.0.0.0',
      dataDir: ':memory:',
      publicUrl: 'https://pets.example.com',
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimit: { limit: 10, windowSeconds: 120 },
      accessPolicy: 'strict',
      orderHoldMilliseconds: 900_000,
      corsOrigins: ['https://shop.example.com', 'http://localhost:5173'],
      logLevel: 'debug',
      nodeEnv: 'production',
    });
    expect(parseSettings({ RATE_LIMIT: 'off' }).rateLimit).toBe('off');
  });

  it('count as absent when empty', () => expect(parseSettings({ PORT: '', PUBLIC_URL: ' ' })).toEqual(parseSettings({})));

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'pets.example.com'],
    ['PUBLIC_URL', 'ftp://pets.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['RATE_LIMIT', '600'],
    ['RATE_LIMIT', '0/60s'],
    ['ACCESS_POLICY', 'open'],
    ['ORDER_HOLD', '24'],
    ['ORDER_HOLD', '1.5h'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://shop.example.com/'],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'staging'],
  ])('refuse %s=%s and say what would do', (name, value) => {
    const [problem, ...others] = problemsOf({ [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} is "[^"]+": say `));
    expect(others).toEqual([]);
  });

  it('name every problem at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', NODE_ENV: 'production' }).map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'ACCESS_POLICY',
      'PUBLIC_URL',
    ]);
  });

  it('ask for a decision on access beyond loopback', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('ACCESS_POLICY is missing')]);
    expect(problemsOf({ HOST: '0.0.0.0', ACCESS_POLICY: 'documented' })).toEqual([]);
  });

  it('say that the distributed profile does not exist yet', () => {
    expect(problemsOf({ MONGODB_URL: 'mongodb://db', KAFKA_BROKERS: 'k:9092' })).toEqual([
      expect.stringMatching(/^MONGODB_URL, KAFKA_BROKERS are set: only the embedded profile/),
    ]);
  });

  it('are all described, once', () => {
    const names = SETTINGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(SETTINGS.every(({ meaning }) => meaning.length > 0)).toBe(true);
  });
});

describe('loopback', () => {
  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('%s is', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['0.0.0.0', '::', '10.0.0.1', 'pets.example.com', '127.evil.com'])('%s is not', (host) => expect(isLoopback(host)).toBe(false));
});
