import { readdirSync, readFileSync } from 'node:fs';
import { contracts } from '../../libs/contracts/contracts.js';
import { messageTypeOf, publishedMessages } from '../../libs/contracts/message-contract.js';
import { headersOf } from '../../libs/contracts/message-headers.js';
import { object } from '../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK_SCHEMA } from '../../libs/contracts/order-callback.js';
import { webhookContracts } from '../../libs/contracts/webhooks.js';
import { compareMessages, mapValues, withoutWording, type MessageSchemas } from './compatibility.js';
import { goldenText, type GoldenChange } from './golden-files.js';

/** The message schemas of each channel, by its name: a topic, `webhooks` or `callbacks`. */
export type Channels = Readonly<Record<string, MessageSchemas>>;

const FOLDER = new URL('message-schemas/', import.meta.url);

/**
 * Returns the schemas that the code declares: headers and data of every message, and the bodies of webhooks and
 * callbacks.
 */
export const declaredChannels = (): Channels => ({
  ...Object.fromEntries(
    contracts.map((contract) => [
      contract.topic,
      Object.fromEntries(
        publishedMessages(contract).map(([type, { schema }]) => [
          messageTypeOf(contract.category, type),
          withoutWording(object({ headers: headersOf(contract, type), data: schema })),
        ]),
      ),
    ]),
  ),
  callbacks: { 'order callback': withoutWording(ORDER_CALLBACK_SCHEMA) },
  webhooks: Object.fromEntries(webhookContracts.map(({ eventType, schema }) => [eventType, withoutWording(schema)])),
});

/** Returns the accepted schemas from the golden files. */
export const acceptedChannels = (folder = FOLDER): Channels =>
  Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.slice(0, -'.json'.length),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as MessageSchemas,
    ]),
  );

/** Returns where the new version of a message must be published, for error messages. */
const nextVersionOf = (channel: string): string =>
  /\d$/.test(channel) ? `in ${channel.replace(/\d+$/, (version) => String(Number(version) + 1))}` : 'under a new name';

/** Returns a line for each breaking change, with the remedy (contract 28.7). */
export const breakingChanges = (accepted: Channels, declared: Channels): readonly string[] =>
  Object.entries(accepted).flatMap(([channel, messages]) =>
    compareMessages(messages, declared[channel] ?? {}).breaks.map(
      (change) =>
        `${channel}: ${change}. This breaks consumers: restore the accepted schema, and publish the new shape ${nextVersionOf(channel)}.`,
    ),
  );

/** Returns the golden files whose schemas differ from those that the code declares. */
export const channelChanges = (declared = declaredChannels(), folder = FOLDER): readonly GoldenChange[] => {
  const accepted = acceptedChannels(folder);
  return [...new Set([...Object.keys(accepted), ...Object.keys(declared)])].flatMap((channel) => {
    const breaks = breakingChanges({ [channel]: accepted[channel] ?? {} }, declared);
    const messages = declared[channel] ?? {};
    const { additions } = compareMessages(accepted[channel] ?? {}, messages);
    if (breaks.length + additions.length === 0) return [];
    return { file: `message-schemas/${channel}.json`, breaks, additions, text: goldenText(mapValues(messages, withoutWording)) };
  });
};
