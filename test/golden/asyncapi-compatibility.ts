import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { compareMessages } from './compatibility.js';
import { dereference } from './dereference.js';
import { changed, inBoth, type Named } from './named-parts.js';

type Message = { readonly name: string; readonly contentType: string; readonly headers: JsonSchema; readonly payload: JsonSchema };
type Channel = {
  readonly address: string | null;
  readonly messages: Named<Message>;
  readonly bindings?: { readonly kafka?: { readonly topic: string; readonly partitions: number } };
};
type Operation = { readonly action: string };
type Document = {
  readonly channels: Named<Channel>;
  readonly operations: Named<Operation>;
  readonly components: { readonly messages: Named<Message>; readonly schemas?: Named<JsonSchema> };
};

/** The changes of an AsyncAPI document that break a consumer or a receiver (contract 28.7). */
export const asyncapiBreaks = (before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [before, after].map((document) => dereference(document) as unknown as Document);
  if (!was || !is) return [];
  return [
    ...inBoth('channel', was.channels, is.channels, channelBreaks),
    ...inBoth('operation', was.operations, is.operations, (name, one, other) =>
      changed(`operation ${name} action`, one.action, other.action),
    ),
    ...inBoth('message', was.components.messages, is.components.messages),
    ...inBoth('schema', was.components.schemas, is.components.schemas),
  ];
};

const channelBreaks = (name: string, before: Channel, after: Channel): readonly string[] => [
  ...changed(`${name} address`, before.address, after.address),
  ...changed(`${name} topic`, before.bindings?.kafka?.topic, after.bindings?.kafka?.topic),
  ...changed(`${name} partitions`, before.bindings?.kafka?.partitions, after.bindings?.kafka?.partitions),
  ...inBoth(`${name} message`, before.messages, after.messages, messageBreaks),
];

const messageBreaks = (name: string, before: Message, after: Message): readonly string[] => [
  ...changed(`${name} name`, before.name, after.name),
  ...changed(`${name} contentType`, before.contentType, after.contentType),
  ...compareMessages(
    { [`${name} headers`]: before.headers, [`${name} payload`]: before.payload },
    { [`${name} headers`]: after.headers, [`${name} payload`]: after.payload },
  ).breaks,
];
