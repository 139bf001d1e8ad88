import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endPrograms, ROOT, startProgram } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedGenerators } from '../servers/services/generators.js';
import { startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';

describeIfAvailable('clients in Python', await sharedGenerators(), ({ python }) => {
  describe('clients in Python', () => {
    let service: OwnPetstore;
    let folder: string;

    beforeAll(async () => {
      service = await startOwnPetstore();
      folder = mkdtempSync(join(tmpdir(), 'petstore-python-'));
    });
    afterAll(async () => {
      await endPrograms();
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    /**
     * Runs Python. Returns the last line of its standard output if that is a JSON object, and otherwise null. If Python fails,
     * throws an error with its output.
     */
    const run = async (...args: readonly string[]): Promise<unknown> => {
      // The generator formats the generated code with the program ruff, which is in the same folder as Python.
      const path = [dirname(python), process.env['PATH']].join(delimiter);
      const program = startProgram(python, args, { cwd: folder, env: { PATH: path, TMPDIR: folder } });
      const { code } = await program.ended;
      if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}:\n${program.stdout()}${program.stderr()}`.slice(-5_000));
      const last = program.stdout().trim().split('\n').at(-1) ?? '';
      return last.startsWith('{') ? JSON.parse(last) : null;
    };
    const consumer = (name: string): string => join(ROOT, 'test', 'consumers', name);

    /** Proves contract 41.9. */
    it('chat through the package openai', async () => {
      const staff = await service.token('write:pets');
      const body = { name: 'Quillon', species: 'DOG', ageMonths: 30, size: 'SMALL', goodWithKids: true };
      expect((await service.request('POST', '/v1/pets', { token: staff, body })).status).toBe(201);
      const received = await run(consumer('chat_with_openai.py'), service.url, await service.token('chat:write'));
      expect(received).toEqual({
        models: ['pet-advisor-1', 'pet-advisor-turbo'],
        text: expect.stringContaining('Quillon') as unknown,
        finishReason: 'stop',
        isStreamedAlike: true,
        isCountedAlike: true,
        unauthorized: [401, 'unauthorized'],
        invalid: [400, 'too_small'],
      });
    });

    /** Proves contract 39.2 and contract 39.9. */
    it('use the classic variant, generated from its document by openapi-python-client', async () => {
      const document = join(folder, 'classic.json');
      writeFileSync(document, await (await fetch(`${service.url}/api/v3/openapi.json`)).text());
      const out = join(folder, 'python', 'classic_store');
      mkdirSync(dirname(out));
      const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', '--meta', 'none'];
      await run(...generate, '--path', document, '--output-path', out);
      const token = await service.token('write:pets write:orders ops');
      expect(await run(consumer('classic_journey.py'), dirname(out), service.url, token)).toEqual({
        pet: { name: 'Tilly', category: 'Cats', tags: ['calm'], status: 'available' },
        found: true,
        tagged: true,
        renamed: ['Milly', 'available'],
        uploaded: [200, 'image/png'],
        photos: 1,
        order: ['placed', true],
        reserved: 'pending',
        inventory: 1,
        user: 'bea',
        isSignedIn: true,
        missing: 404,
      });
    });
  });
});
