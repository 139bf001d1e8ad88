import { afterEach, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startWithOpenFiles } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

/** More than the service opens itself, which is about 65. */
const LIMIT = 120;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Opens connections that send the beginning of a request, and keeps them open. */
const holdConnections = (url: string): readonly Socket[] =>
  Array.from({ length: LIMIT }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET ');
    return socket;
  });

/** Proves contract 25.1. */
it('a service whose limit of open files is reached says so once, and serves again when connections end', async () => {
  const service = await startWithOpenFiles(LIMIT, { dataDir: newFolder() });
  const sockets = holdConnections(service.url);
  const linesWith = (text: string) =>
    service
      .stderr()
      .split('\n')
      .filter((line) => line.includes(text));
  await eventually('the log line', () => linesWith('no file descriptor is free').length > 0);
  for (const socket of sockets) socket.destroy();
  await eventually('the line that descriptors are free', () => linesWith('descriptors are free again').length > 0);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect(linesWith('EMFILE')).toHaveLength(1);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
});
