import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { quoteForShell } from '../../apps/petstore/terminal/installation.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, type ServiceProcess } from '../servers/process.js';
import { endPrograms, runProgram, type ProgramResult } from '../servers/program.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** The path of a folder that a shell splits unless it is quoted. It does not exist yet. */
const folderWithSpace = (): string => join(newFolder(), "Ann's pets");

/** Runs a command as a user does who pastes it: in a shell without settings, in the repository's folder. */
const paste = (command: string): Promise<ProgramResult> => runProgram('bash', ['-c', command]);

const commandIn = (text: string, what: RegExp): string => what.exec(text)?.[1] ?? `no ${what} in ${text}`;

const totalPets = async ({ url }: ServiceProcess): Promise<unknown> =>
  ((await caller(url)('GET', '/v1/pets?limit=1')).json['pagination'] as { totalItems: number }).totalItems;

const statusWith = async (service: ServiceProcess, token: string): Promise<number> =>
  (await caller(service.url, token)('POST', '/v1/pets', { body: { name: 'Any', species: 'DOG', ageMonths: 1 } })).status;

const htmlOf = async (url: string): Promise<string> => {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  return page.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
};

describe('the commands that are printed', () => {
  it.each(['plain', '/srv/pets', 'my pets', "Ann's pets", '$HOME', '`id`', 'a;b', 'a"b', 'a\\b', '*', '~', 'über', '#', "'"])(
    'give the shell exactly the text %j',
    async (text) => expect((await paste(`printf %s ${quoteForShell(text)}`)).stdout).toBe(text),
  );

  it('by the banner and the landing page work when they are pasted, for a folder with a space in its name', async () => {
    const dataDir = folderWithSpace();
    const service = await startServiceProcess({ dataDir });
    const banner = service.stdout();
    const [token, ofPage] = [
      await paste(commandIn(banner, /Token +(.*)\n/)),
      await paste(`${commandIn(await htmlOf(`${service.url}/`), /(TOKEN=\$\(.*\))</)}; echo $TOKEN`),
    ];
    expect([token.code, await statusWith(service, token.stdout.trim())]).toEqual([0, 201]);
    expect([ofPage.code, await statusWith(service, ofPage.stdout.trim())]).toEqual([0, 201]);
    const seeded = await paste(`${commandIn(banner, /Sample pets +(.*)\n/).replace('1000', '3')} --pictures 0`);
    expect(seeded.code).toBe(0);
    expect(seeded.stderr).toContain(`Adding pets to the store in ${dataDir}, through the service at ${service.url}\n`);
    expect(await totalPets(service)).toBe(5);
  });

  it('by the landing page name no folder if other machines may read the page', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir, env: { PUBLIC_URL: 'https://pets.example.com' } });
    const page = await htmlOf(`${service.url}/`);
    expect(page).toContain('TOKEN=$(npm run');
    expect(page).not.toContain(dataDir);
  });

  it('by messages select the same store', async () => {
    const dataDir = folderWithSpace();
    const program = `DATA_DIR='${dataDir.replace("'", `'\\''`)}' PORT=3999 npm run petstore --`;
    const run = (...args: string[]) => runPetstore(args, { dataDir, env: { PORT: '3999' } });
    const [trigger, token] = [await run('trigger', 'pet.adopted'), await run('token', '--scope', 'ops')];
    expect(trigger.stderr).toContain(`no service is running on ${dataDir}: start it with "${program} start"`);
    expect(token.stderr).toBe(`there is no store in ${dataDir}: "${program} start" creates one\n`);
  });
});

describe('petstore seed and petstore trigger', () => {
  it('name the folder, say when they create a store, and find the service by DATA_DIR alone', async () => {
    const dataDir = folderWithSpace();
    const seed = () => runPetstore(['seed', '--pets', '2', '--pictures', '0'], { dataDir, env: { PORT: '' } });
    const [first, second] = [await seed(), await seed()];
    expect(first.stderr).toContain(`Created a new store in ${dataDir}, and adding pets to it\n`);
    expect(second.stderr).toContain(`Adding pets to the store in ${dataDir}\n`);
    const service = await startServiceProcess({ dataDir });
    const third = await seed();
    expect(third.stderr).toContain(`Adding pets to the store in ${dataDir}, through the service at ${service.url}\n`);
    const triggered = await runPetstore(['trigger', 'pet.statusChanged'], { dataDir, env: { PORT: '' } });
    expect([first.code, second.code, third.code, triggered.code]).toEqual([0, 0, 0, 0]);
    expect(await totalPets(service)).toBe(7);
    expect(readdirSync(dataDir)).toContain('petstore.sqlite');
  });
});
