import { afterAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../eventually.js';
import { pidIn } from './real-server.js';
import { ownKafka, ownMongod } from './shared.js';
import { describeIfAvailable } from './describe-if-available.js';

const SCRIPT = fileURLToPath(new URL('services.sh', import.meta.url));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the guard of a server', () => {
  it('kills the server and removes its folder when the process that started it ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-guard-'));
    // A killed process cannot clean up.
    const code = `require('node:child_process').spawn(${JSON.stringify(SCRIPT)}, ['guard', ${JSON.stringify(folder)}, 'sleep', '600'],
      { stdio: ['pipe', 'ignore', 'ignore'], detached: true })`;
    const starter = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
    const pid = await eventually('the guarded program', () => pidIn(folder));
    expect(isAlive(pid)).toBe(true);
    starter.kill('SIGKILL');
    await eventually('the end of the guarded program', () => !isAlive(pid));
    await eventually('the removal of its folder', () => !existsSync(folder));
  });

  it('reports that the program has ended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-guard-'));
    const guard = spawn(SCRIPT, ['guard', folder, 'true'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await new Promise((resolve) => guard.once('exit', resolve));
    expect(pidIn(folder)).toBeNull();
    expect(existsSync(join(folder, 'log'))).toBe(true);
    rmSync(folder, { recursive: true });
  });
});

const mongod = await ownMongod();
describeIfAvailable('a real mongod', mongod, ({ url, kill, restart, close }) =>
  describe('a real mongod', () => {
    const client = new MongoClient(url);
    afterAll(async () => {
      await client.close();
      await close();
    });

    it('keeps acknowledged writes after a kill and a restart', async () => {
      const things = client.db('services').collection<{ _id: string }>('things');
      await things.insertOne({ _id: 'one' }, { writeConcern: { w: 'majority', journal: true } });
      await kill();
      await restart();
      expect(await things.findOne({})).toEqual({ _id: 'one' });
    });
  }),
);

const kafka = await ownKafka();
describeIfAvailable('a real Kafka', kafka, ({ brokers, kill, restart, close }) =>
  describe('a real Kafka', () => {
    afterAll(() => close());

    it('keeps its topics after a kill and a restart', async () => {
      const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).admin();
      await admin.createTopics({ topics: [{ topic: 'things', numPartitions: 2 }], waitForLeaders: true });
      await kill();
      await restart();
      expect(await admin.listTopics()).toContain('things');
      await admin.disconnect();
    });
  }),
);
