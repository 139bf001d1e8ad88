import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import type { ProjectionState } from '../../apps/api/ops/projections/projection.dto.js';
import { program } from '../../apps/petstore/program.js';
import { eventually } from '../eventually.js';
import { newFolder } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { endPrograms, ROOT } from '../servers/program.js';
import { openReceiver } from '../servers/receiver.js';
import { failingProjections, POISON } from './failing-projections.js';
import { oneStoreAtATime } from './in-process-petstore.js';

const { start } = oneStoreAtATime();
afterEach(endPrograms);

const RUNBOOK = readFileSync(join(ROOT, 'deploy', 'runbook.md'), 'utf8');

/** The parts that are read when something is wrong. Those after them are for planned work. */
const [FOR_ALARMS = ''] = RUNBOOK.split('\n## Servers and their data\n');

/** The commands that are only parsed, and why they are not run here. */
const ONLY_PARSED: Readonly<Record<string, string>> = {
  'petstore restore DIR --erasures FILE': 'it needs a stopped service, and an empty folder',
  'petstore projections rebuild': 'it needs a stopped service',
  'petstore keys reencrypt': 'it needs the servers',
  'petstore topics republish': 'it needs the servers',
  'petstore audit verify --key keys.json --against checkpoints.ndjson': 'it needs copies that an auditor keeps elsewhere',
};

/** The number of processes that run at the same time. */
const AT_ONCE = 3;

/** Returns the commands in code spans, after the prompts of code blocks, and in what the program says there. */
const commandsIn = (text: string): readonly string[] => {
  const [prose, blocks] = [text.replaceAll(/^```\n.*?^```$/gms, ''), [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, block]) => block)];
  const spans = [...prose.matchAll(/`(petstore [^`]+)`/g)];
  const lines = [...blocks.join('').matchAll(/^(?:\$ | *(?:helps|what to do): )(petstore .*)$/gm)];
  return [...new Set([...spans, ...lines].map(([, command = '']) => command.replaceAll(/\s+/g, ' ')))];
};

const COMMANDS = commandsIn(FOR_ALARMS);

/** Returns the words after `petstore`. A text in quotation marks is one word. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);

/** Returns the command of the program that the words name, and the words after its name. */
const find = (words: readonly string[], command: Command = program): { readonly command: Command; readonly rest: readonly string[] } => {
  const [first, ...rest] = words;
  const next = command.commands.find((candidate) => candidate.name() === first);
  return next ? find(rest, next) : { command, rest: words };
};

/** Returns the text that `--help` prints, in one line. */
const helpOf = (command: Command): string => {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) });
  command.outputHelp();
  return help.replaceAll(/\s+/g, ' ');
};

/** Returns why the program would not accept a command, or null. */
const mistakeIn = (typed: string): string | null => {
  const { command, rest } = find(wordsOf(typed));
  if (command === program || command.commands.length > 0) return 'there is no such command';
  const help = helpOf(command);
  const values = new Set<string>();
  for (const [index, word] of rest.entries()) {
    if (!word.startsWith('--')) continue;
    const option = command.options.find(({ long }) => long === word);
    if (!option || !help.includes(word)) return `${word} is not in its help`;
    if (option.required) values.add(String(index + 1));
  }
  const args = rest.filter((word, index) => !word.startsWith('--') && !values.has(String(index)));
  const declared = command.registeredArguments;
  const required = declared.filter((argument) => argument.required).length;
  return args.length < required || args.length > declared.length ? `it takes other arguments than ${args.join(' ')}` : null;
};

/** Returns the exit codes that the help of a command documents. */
const exitCodesOf = (typed: string): ReadonlySet<number> => {
  const sentences = helpOf(find(wordsOf(typed)).command).match(/\b[Ee]xit(?:s with| with| codes:)[^.]*/g) ?? [];
  return new Set([0, ...sentences.flatMap((sentence) => sentence.match(/\b\d\b/g) ?? []).map(Number)]);
};

const PET = { name: 'Rex', species: 'DOG', ageMonths: 4, price: '5.00', currency: 'USD' };
const CARD = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2090 };

/** Starts a store with all that the runbook speaks of, and returns what takes the place of its examples and of its words in capitals. */
const openScene = async () => {
  const receiver = await openReceiver();
  receiver.respondWith(() => ({ status: 500 }));
  const dataDir = newFolder();
  const { call, url } = await start(dataDir, { projections: failingProjections('PetDetailsRevised') }, { WEBHOOK_RETRY_DELAYS: '0s' });
  const create = async (path: string, body: object): Promise<string> => {
    const { status, json } = await call('POST', path, { body });
    expect([path, status < 300]).toEqual([path, true]);
    return String(json['id']);
  };
  const hook = `${receiver.url}/hook`;
  await create('/v1/webhooks', { url: hook, events: ['pet.statusChanged'] });
  await create('/v1/ops/users', { username: 'ann', email: 'ann@example.com', password: 'correct horse battery' });
  const order = await create('/v1/orders', { petId: await create('/v1/pets', PET) });
  const payment = await create(`/v1/orders/${order}/payment`, { amount: '5.00', currency: 'USD', source: CARD });
  await eventually('the approval', async () => (await call('GET', `/v1/orders/${order}`)).json['status'] === 'approved');
  const pet = await create('/v1/pets', PET);
  await call('PUT', `/v1/pets/${pet}`, { body: { ...PET, name: POISON, status: 'AVAILABLE' } });
  for (const held of ['pet-names', 'adoptions']) await create(`/v1/ops/projections/${held}/rebuild`, { hold: true });
  await create('/v1/ops/projections/users/rebuild', {});
  await create('/v1/ops/projections/orders/pause', {});
  await eventually('the fills', async () => {
    const states = (await call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
    return states.filter(({ fill, keptUntil }) => fill?.state === 'held' || keptUntil !== undefined).length === 3;
  });
  await eventually('what is parked', async () => {
    const { causes } = (await call('GET', '/v1/ops/parked')).json as { causes: { kind: string; count: number }[] };
    return causes.some(({ kind }) => kind === 'stream') && causes.some(({ kind, count }) => kind === 'delivery' && count > 1);
  });
  receiver.respondWith(() => ({ status: 200 }));

  /** What NAME stands for, by the beginning of a command. */
  const names: readonly (readonly [beginning: string, name: string])[] = [
    ['petstore projections switch NAME --back', 'users'],
    ['petstore projections switch', 'pet-names'],
    ['petstore projections drop', 'adoptions'],
    ['petstore projections rebuild', 'payments'],
    ['petstore projections resume', 'orders'],
    ['petstore users create-admin', 'bob'],
    ['', 'pets'],
  ];
  const values: Readonly<Record<string, string>> = {
    ORDER: order,
    PET: pet,
    REVISION: '1',
    STREAM: `pet-${pet}`,
    TEXT: 'why',
    USER: 'ann',
  };
  const valueOf = (typed: string, word: string): string => {
    if (word === 'NAME') return names.find(([beginning]) => typed.startsWith(beginning))?.[1] ?? word;
    if (word === 'URL') return typed.includes('--to URL') ? hook : url;
    if (word === 'DIR') return join(newFolder(), 'copy');
    return values[word] ?? word;
  };
  /** Returns a command of the runbook with real values. */
  const fill = (typed: string): string =>
    typed
      .replaceAll(/\bpayment-[0-9a-f-]{36}/g, `payment-${payment}`)
      .replaceAll(/\bpet-[0-9a-f-]{36}/g, `pet-${pet}`)
      .replaceAll(/ [0-9a-f-]{36}/g, ` ${order}`)
      .replaceAll(/\b[A-Z]+\b/g, (word) => valueOf(typed, word));
  return { fill, run: (command: string) => runPetstore(wordsOf(command), { dataDir }), close: () => receiver.close() };
};

describe('the commands of the runbook for alarms', () => {
  it('are known to the program, with their options and arguments', () => {
    const mistakes = COMMANDS.map((command) => ({ command, mistake: mistakeIn(command) })).filter(({ mistake }) => mistake !== null);
    expect(mistakes).toEqual([]);
    expect(COMMANDS.length).toBeGreaterThan(25);
    expect(Object.keys(ONLY_PARSED).filter((command) => !COMMANDS.includes(command))).toEqual([]);
  });

  it.each([
    ['petstore doctors', 'there is no such command'],
    ['petstore projections', 'there is no such command'],
    ['petstore stuck --old 5m', '--old is not in its help'],
    ['petstore users show', 'it takes other arguments than '],
    ['petstore retry NAME STREAM REVISION', 'it takes other arguments than NAME STREAM REVISION'],
    ['petstore retry NAME STREAM --reason TEXT', null],
  ])('are reported if they are wrong: %s', (command, mistake) => expect(mistakeIn(command)).toBe(mistake));

  it(`do what they say on a real store, without ${Object.keys(ONLY_PARSED).join(', ')}`, async () => {
    const { fill, run, close } = await openScene();
    const failed: object[] = [];
    const waiting = [...new Set(COMMANDS.filter((command) => !(command in ONLY_PARSED)).map(fill))];
    const runSome = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { code, stderr } = await run(next);
        if (code === null || !exitCodesOf(next).has(code)) failed.push({ command: next, code, stderr });
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, runSome));
    } finally {
      await close();
    }
    expect(failed).toEqual([]);
  });
});
