import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { contracts } from '../../libs/contracts/contracts.js';
import { messageTypeOf } from '../../libs/contracts/message-contract.js';
import { headersOf } from '../../libs/contracts/message-headers.js';
import { object } from '../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK_SCHEMA } from '../../libs/contracts/order-callback.js';
import { webhookContracts } from '../../libs/contracts/webhooks.js';
import { compareTold, mapValues, promised, type Told } from './compatibility.js';

/** Where messages go to: each topic by its name, and the receivers of webhooks and callbacks. */
export type Channels = Readonly<Record<string, Told>>;

/** How what is new is promised. */
export const ACCEPT_MESSAGES = 'ACCEPT_MESSAGES=yes npm test -- test/golden/message-schemas';

const FOLDER = new URL('message-schemas/', import.meta.url);

/** What the code declares: every message of every topic, headers and data, and the bodies of webhooks and callbacks. */
export const declaredChannels = (): Channels => ({
  ...Object.fromEntries(
    contracts.map((contract) => [
      contract.topic,
      Object.fromEntries(
        Object.entries(contract.on).map(([type, { schema }]) => [
          messageTypeOf(contract.category, type),
          promised(object({ headers: headersOf(contract, type), data: schema })),
        ]),
      ),
    ]),
  ),
  callbacks: { 'order callback': promised(ORDER_CALLBACK_SCHEMA) },
  webhooks: Object.fromEntries(webhookContracts.map(({ eventType, schema }) => [eventType, promised(schema)])),
});

/** What readers have been promised so far. */
export const acceptedChannels = (): Channels =>
  Object.fromEntries(
    readdirSync(FOLDER).map((file) => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Told]),
  );

/** Where a message of the next version belongs. */
const besideIt = (channel: string): string =>
  /\d$/.test(channel)
    ? `in ${channel.replace(/\d+$/, (version) => String(Number(version) + 1))} beside it`
    : 'under a name of its own beside it';

/** What would break a reader, with what to do instead: "whoever would take something away or change it makes a topic `v2` beside this one." */
export const breaksIn = (accepted: Channels, declared: Channels): readonly string[] =>
  Object.entries(accepted).flatMap(([channel, told]) =>
    compareTold(told, declared[channel] ?? {}).breaks.map(
      (what) => `${channel}: ${what}. Readers rely on it: leave it as it was, and tell the new shape ${besideIt(channel)}.`,
    ),
  );

/** What is new and harms nobody, with how to promise it from now on. */
export const additionsIn = (accepted: Channels, declared: Channels): readonly string[] =>
  Object.entries(declared).flatMap(([channel, told]) =>
    compareTold(accepted[channel] ?? {}, told).additions.map(
      (what) => `${channel}: ${what}. Readers can take that; to promise it: ${ACCEPT_MESSAGES}`,
    ),
  );

/** Promises what is declared from now on; refuses what would break a reader. */
export const accept = (declared: Channels): void => {
  const breaks = breaksIn(acceptedChannels(), declared);
  if (breaks.length > 0) throw new Error(breaks.join('\n'));
  for (const [channel, told] of Object.entries(declared))
    writeFileSync(new URL(`${channel}.json`, FOLDER), `${JSON.stringify(mapValues(told, promised), null, 2)}\n`);
};
