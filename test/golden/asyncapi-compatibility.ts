import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { compareMessages } from './compatibility.js';
import { dereference } from './dereference.js';
import { breakIfChanged, compareParts, type Named } from './named-parts.js';

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

/** Returns a line for each change of an AsyncAPI document that breaks a consumer or a receiver (contract 28.7). */
export const breakingAsyncapiChanges = (before: JsonSchema, after: JsonSchema): readonly string[] => {
  const [was, is] = [before, after].map((document) => dereference(document) as unknown as Document);
  if (!was || !is) return [];
  return [
    ...compareParts('channel', was.channels, is.channels, breakingChannelChanges),
    ...compareParts('operation', was.operations, is.operations, (name, one, other) =>
      breakIfChanged(`operation ${name} action`, one.action, other.action),
    ),
    ...compareParts('message', was.components.messages, is.components.messages),
    ...compareParts('schema', was.components.schemas, is.components.schemas),
  ];
};

const breakingChannelChanges = (name: string, before: Channel, after: Channel): readonly string[] => [
  ...breakIfChanged(`${name} address`, before.address, after.address),
  ...breakIfChanged(`${name} topic`, before.bindings?.kafka?.topic, after.bindings?.kafka?.topic),
  ...breakIfChanged(`${name} partitions`, before.bindings?.kafka?.partitions, after.bindings?.kafka?.partitions),
  ...compareParts(`${name} message`, before.messages, after.messages, breakingMessageChanges),
];

const breakingMessageChanges = (name: string, before: Message, after: Message): readonly string[] => [
  ...breakIfChanged(`${name} name`, before.name, after.name),
  ...breakIfChanged(`${name} contentType`, before.contentType, after.contentType),
  ...compareMessages(
    { [`${name} headers`]: before.headers, [`${name} payload`]: before.payload },
    { [`${name} headers`]: after.headers, [`${name} payload`]: after.payload },
  ).breaks,
];
