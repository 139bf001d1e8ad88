import { CHECKPOINT_STREAM, COUNT_STREAM, type CheckpointEvent, type CountEvent } from '../../domain/checkpoints/checkpoint.events.js';
import { messageContract, messageSpec } from '../message-contract.js';
import { constantValue, date, instant, list, object, patterned, text, wholeNumber } from '../message-schema.js';

/** Matches 32 bytes in base64url. */
const DIGEST = '^[A-Za-z0-9_-]{43}$';
/** Returns the schema of a digest. Its example repeats `letter`. */
const digest = (description: string, letter: string) => patterned(DIGEST, description, letter.repeat(43));

const CHECKPOINT_SCHEMA = object(
  {
    version: constantValue('petstore-checkpoint/1', 'The version of the format that docs/audit.md describes'),
    store: text('The id of the store', '01a0e5b0-0000-7000-8000-000000000005'),
    index: wholeNumber('The number of the checkpoint in the chain of checkpoints, from 0', 0, 1),
    size: wholeNumber('The number of events that the checkpoint covers, from the first event of the log', 1, 1200),
    root: digest('The Merkle root of the covered events (RFC 6962), base64url', 'a'),
    time: instant('When the checkpoint was created', '2026-01-02T03:04:05.678Z'),
    previous: text('The digest of the previous checkpoint, or an empty text in the first checkpoint', 'b'.repeat(43)),
    tenants: list('For each tenant with events, a digest of its id and its events', digest('The digest of a tenant', 'c')),
    keyId: digest('The thumbprint of the key that signed the checkpoint (RFC 7638)', 'd'),
  },
  {},
  'A statement of the service about the first events of the log',
);

const COUNT_SCHEMA = object(
  {
    version: constantValue('petstore-count/1', 'The version of the format that docs/audit.md describes'),
    store: text('The id of the store', '01a0e5b0-0000-7000-8000-000000000005'),
    index: wholeNumber('The number of the count among all counts of the store, from 0', 0, 1),
    part: wholeNumber('The number of the count in its set, from 1', 1, 1),
    parts: wholeNumber('The number of counts in the set', 1, 2),
    tenant: text('The tenant’s UUID, or `shared` for the shared pool', 'shared'),
    day: date('The UTC day of the counted messages, by their header `ce_time`', '2026-01-01'),
    topics: list(
      'The topics with messages, sorted by name',
      object({
        topic: text('The topic, without a namespace', 'petstore.orders.v1'),
        count: wholeNumber('The number of messages of the tenant on that day', 1, 120),
      }),
    ),
    keyId: digest('The thumbprint of the key that signed the count (RFC 7638)', 'd'),
  },
  {},
  'A statement of the service about the messages of one tenant and day. If there are several counts of a tenant and day, add them.',
);

/** Returns the schema of an Ed25519 signature: 64 bytes in base64url. */
const signatureOf = (what: string) =>
  patterned('^[A-Za-z0-9_-]{86}$', `The Ed25519 signature of the ${what} as canonical JSON (RFC 8785), base64url`, 'e'.repeat(86));

/**
 * The public messages of checkpoints (contract 35.1) and of counts (contract 35.7). They omit the state from which the next
 * checkpoint or count continues.
 */
export const checkpointMessages = messageContract<CheckpointEvent | CountEvent>(
  CHECKPOINT_STREAM,
  'checkpoints',
  {
    CheckpointSigned: messageSpec(
      'A checkpoint of the log was signed. Keep the checkpoint: it reveals whether the log was rewritten later.',
      object({ checkpoint: CHECKPOINT_SCHEMA, signature: signatureOf('checkpoint') }),
      ({ checkpoint, signature }) => ({ checkpoint, signature }),
    ),
    MessagesCounted: messageSpec(
      'The messages of one tenant and day were counted. If you received fewer messages, some are missing.',
      object({ count: COUNT_SCHEMA, signature: signatureOf('count') }),
      ({ count, signature }) => ({ count, signature }),
    ),
  },
  { CheckpointSigned: CHECKPOINT_STREAM, MessagesCounted: COUNT_STREAM },
);
