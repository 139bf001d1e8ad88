import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { listenCommand } from '../commands/listen.command.js';
import { replayCommand, type ReplayOptions } from '../commands/replay.command.js';
import { triggerCommand } from '../commands/trigger.command.js';

/** No service runs on this store: the commands reject invalid input before they connect. */
const settings = parseSettings({ DATA_DIR: ':memory:' });
const ID = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const HOOK = 'http://127.0.0.1:4000/hook';

const errorOf = async (command: Promise<void>): Promise<string> => {
  const error: unknown = await command.then(
    () => null,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(CommandError);
  return (error as CommandError).message;
};

describe('petstore listen rejects', () => {
  it.each([
    ['an address without a scheme', { forwardTo: 'here' }, /^--forward-to here has no scheme; try http:\/\/here$/],
    [
      'an address with another scheme',
      { forwardTo: 'ftp://here' },
      /--forward-to "ftp:\/\/here" is not an http or https address; example: http/,
    ],
    ['an unknown event', { forwardTo: HOOK, events: 'pet.eaten' }, /--events: unknown event "pet\.eaten"; known events: /],
  ])('%s', async (_, options, words) => expect(await errorOf(listenCommand(settings, options))).toMatch(words));
});

describe('petstore trigger rejects', () => {
  it.each([
    ['an unknown event', 'pet.eaten', {}, /unknown event "pet\.eaten"; known events: .*payment\.failed.*webhook\.test/],
    ['an endpoint that is not a UUID', 'webhook.test', { webhook: 'mine' }, /--webhook mine is not a UUID/],
    ['an endpoint for an event other than webhook.test', 'pet.adopted', { webhook: ID }, /goes to every endpoint/],
    ['webhook.test without an endpoint', 'webhook.test', { url: 'http://127.0.0.1:9', token: 'any' }, /--webhook is missing/],
  ])('%s', async (_, event, options, words) => expect(await errorOf(triggerCommand(settings, event, options))).toMatch(words));
});

describe('petstore replay rejects', () => {
  it.each<[string, Partial<ReplayOptions>, RegExp]>([
    ['an invalid start', { since: 'yesterday' }, /--since "yesterday" is not a time/],
    ['an invalid end', { until: 'tomorrow' }, /--until "tomorrow" is not a time/],
    ['a start in the future', { since: '2999-01-01' }, /--since .* is in the future/],
    ['an end before the start', { until: '2h' }, /--since .* is after --until/],
    ['an address without a scheme', { to: 'there' }, /--to there has no scheme; try http:\/\/there/],
    ['an unknown event', { events: 'pet.eaten' }, /unknown event "pet\.eaten"/],
    ['an invalid wait', { wait: 'long' }, /--wait "long" is not a length of time/],
  ])('%s', async (_, options, words) =>
    expect(await errorOf(replayCommand(settings, { since: '1h', to: HOOK, wait: '1h', ...options }))).toMatch(words),
  );
});
