import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EMAILS, USERNAMES } from '../../../libs/application/aggregates.js';
import { createNameDigests } from '../../../libs/application/users/names/name-digests.js';
import { findOutdatedNames, type OutdatedName } from '../../../libs/application/users/names/outdated-names.js';
import { UpdateUser } from '../../../libs/application/users/user.commands.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../../libs/eventsourcing/aggregates.js';
import { type Collection, Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import { CommandError } from '../errors/command-error.js';

/** The collection that records that the names of this store were checked. A copied store is checked again. */
const NAME_CHECKS: Collection = { name: 'name_checks', version: 1, fields: {}, indexes: [], cells: [] };
/** The form of names that the check compares with (contract 30.2). */
const FORM = 'full-case-folding';

/**
 * Claims the names of accounts in the current form if they were claimed in an older one (contract 30.2). Rejects with a
 * CommandError, without a claim, if two accounts have the same name in the current form. Reads the whole log, but only at the
 * first start of a store after an update to this form.
 */
export const checkNames = async (app: Pick<INestApplicationContext, 'get'>): Promise<void> => {
  const documents = app.get<Documents>(Documents);
  await documents.prepare(NAME_CHECKS);
  if (await documents.get(NAME_CHECKS, FORM)) return;
  const [aggregates, keys] = [app.get<Aggregates>(Aggregates), app.get<KeyVault>(KeyVault)];
  const outdated = await findOutdatedNames({
    log: app.get<EventStore>(EventStore),
    keys,
    digests: await createNameDigests(keys),
    holderOf: async (name, digest) => (await aggregates.load(name === 'emailDigest' ? EMAILS : USERNAMES, digest)).state.holder,
  });
  const equal = outdated.filter(({ sameAs }) => sameAs !== null);
  if (equal.length > 0) throw new CommandError(describeEqual(equal));
  for (const { userId, tenant, names } of outdated) {
    const request = { tenant, actor: 'service', isOperator: true, requestId: 'name-check' };
    const outcome = await app.get(CommandBus).execute(new UpdateUser(userId, names, undefined, request));
    if (isRejection(outcome))
      throw new CommandError(`the names of the account ${userId} cannot be claimed in the new form: ${outcome.rejected}`);
  }
  await documents.apply([{ kind: 'put', collection: NAME_CHECKS, document: { key: FORM, json: '{}', fields: {}, revision: 0 } }]);
};

const describeEqual = (outdated: readonly OutdatedName[]): string => {
  const lines = outdated.map(({ userId, sameAs }) => `the accounts ${userId} and ${sameAs} have the same name`);
  return [
    'this release compares usernames and email addresses by full case folding, which some accounts of this store contradict:',
    ...new Set(lines),
    'start the previous release, change or erase one account of each line, then start this release again',
  ].join('\n  ');
};
