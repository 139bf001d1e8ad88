import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { listenCommand } from '../commands/listen.command.js';
import { replayCommand, type ReplayOptions } from '../commands/replay.command.js';
import { triggerCommand } from '../commands/trigger.command.js';

/** No store is there to be asked: what is refused is refused before. */
const settings = parseSettings({ DATA_DIR: ':memory:' });
const ID = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const HOOK = 'http://127.0.0.1:4000/hook';

const refusalOf = async (command: Promise<void>): Promise<string> => {
  const error: unknown = await command.then(
    () => null,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(CommandError);
  return (error as CommandError).message;
};

describe('petstore listen refuses', () => {
  it.each([
    ['an address that is none', { forwardTo: 'here' }, /--forward-to: here is no address. Write one as http/],
    ['an event that is none', { forwardTo: HOOK, events: 'pet.eaten' }, /pet\.eaten is no event; there are/],
  ])('%s', async (_, options, words) => expect(await refusalOf(listenCommand(settings, options))).toMatch(words));
});

describe('petstore trigger refuses', () => {
  it.each([
    ['what is no event', 'pet.eaten', {}, /pet\.eaten is no event; there are .*payment\.failed.*webhook\.test/],
    ['a test for what is no id', 'webhook.test', { webhook: 'mine' }, /--webhook: mine is not the id/],
    ['another event for one endpoint', 'pet.adopted', { webhook: ID }, /goes to every endpoint/],
    ['a test for nobody', 'webhook.test', { url: 'http://127.0.0.1:9', token: 'any' }, /--webhook ID/],
  ])('%s', async (_, event, options, words) => expect(await refusalOf(triggerCommand(settings, event, options))).toMatch(words));
});

describe('petstore replay refuses', () => {
  it.each<[string, Partial<ReplayOptions>, RegExp]>([
    ['a time that is none', { since: 'yesterday' }, /--since: yesterday is no time/],
    ['an end that is none', { until: 'tomorrow' }, /--until: tomorrow is no time/],
    ['a time to come', { since: '2999-01-01' }, /--since: .* is after now/],
    ['an end before its beginning', { until: '2h' }, /is after --until/],
    ['an address that is none', { to: 'there' }, /--to: there is no address/],
    ['an event that is none', { events: 'pet.eaten' }, /pet\.eaten is no event/],
    ['a wait that is none', { wait: 'long' }, /--wait: long is no time/],
  ])('%s', async (_, options, words) =>
    expect(await refusalOf(replayCommand(settings, { since: '1h', to: HOOK, wait: '1h', ...options }))).toMatch(words),
  );
});
