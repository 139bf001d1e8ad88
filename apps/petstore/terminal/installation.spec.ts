import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../../libs/settings/settings.js';
import { programOn, quoteForShell, tokenCommandOn } from './installation.js';

const PROGRAM = 'npm run petstore --';
const on = (env: Readonly<Record<string, string>>): string => programOn(parseSettings(env));

describe('a printed command', () => {
  it('is short for the default store', () => {
    expect(on({})).toBe(PROGRAM);
    expect(on({ DATA_DIR: './.data', PORT: '3000', HOST: '127.0.0.1' })).toBe(PROGRAM);
    expect(tokenCommandOn(parseSettings({}))).toBe('npm run --silent petstore -- token --scope "write:pets read:pets"');
  });

  it('begins with the folder and the port that are not the defaults', () => {
    expect(on({ DATA_DIR: 'my pets', PORT: '3100' })).toBe(`DATA_DIR='my pets' PORT=3100 ${PROGRAM}`);
    expect(on({ DATA_DIR: '/srv/pets', PORT: '0' })).toBe(`DATA_DIR=/srv/pets ${PROGRAM}`);
    expect(tokenCommandOn(parseSettings({ PORT: '3100' }))).toMatch(/^PORT=3100 npm run --silent petstore -- token /);
  });

  it('names no folder in the distributed profile, which has none', () => {
    const servers = {
      EVENTSTOREDB_URL: 'esdb://h:2113?tls=false',
      MONGODB_URL: 'mongodb://h/petstore?replicaSet=rs0',
      KAFKA_BROKERS: 'h:9092',
    };
    expect(on({ ...servers, DATA_DIR: 'pets', PORT: '3100' })).toBe(PROGRAM);
  });
});

describe('quoteForShell', () => {
  it('leaves ordinary paths as they are', () => expect(quoteForShell('/var/lib/petstore-2/a_b.c')).toBe('/var/lib/petstore-2/a_b.c'));
});
