import { AUDITS } from '../../audit/watch/audit-record.js';
import { prepareDeliveries } from '../../deliveries/collections.js';
import { copyDeliveries, type CopyTarget } from '../../deliveries/copy-deliveries.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { OPERATOR_STATE, OPERATOR_STATE_KEY, type OperatorState } from '../../runtime/operating/operator-state.js';
import { StateStore } from './state-store.js';
import { MANAGE_TOKENS } from '../adoptions/manage-tokens.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { ARTIFACTS, CLIENTS, FORMER_PROGRAMS, REFRESH_USES } from '../oauth/collections.js';
import { copyForgottenDay } from '../security/forget-security-events.js';
import { SESSIONS } from '../sessions/sessions.js';
import { SIGN_IN_ATTEMPTS } from '../sessions/sign-in-attempts.js';
import { CREDENTIALS } from '../users/credentials.js';
import { LEAVING_STAFF } from '../users/last-staff.js';
import { USER_LISTS } from '../users/lists/user-lists.js';

/**
 * The collections of accounts, OAuth, tokens of adoption applications and lists of users, in the order in which they are copied. `sort` is
 * the field by which a copy sorts the documents that it reads.
 */
export const ACCOUNT_COLLECTIONS: readonly { readonly collection: Collection; readonly sort: string }[] = [
  { collection: CREDENTIALS, sort: 'stored' },
  { collection: SESSIONS, sort: 'expiresAt' },
  { collection: SIGN_IN_ATTEMPTS, sort: 'expiresAt' },
  { collection: CLIENTS, sort: 'createdAt' },
  { collection: FORMER_PROGRAMS, sort: 'createdAt' },
  { collection: ARTIFACTS, sort: 'expiresAt' },
  { collection: REFRESH_USES, sort: 'expiresAt' },
  { collection: MANAGE_TOKENS, sort: 'adoptionId' },
  { collection: USER_LISTS, sort: 'createdAt' },
];

const PAGE = 500;

/**
 * Creates the collections that cannot be rebuilt from the log, if they do not exist. Every process that opens a store
 * calls this.
 */
export const prepareKeptDocuments = async (documents: Documents): Promise<void> => {
  await prepareDeliveries(documents);
  // They are not copied. The record in AUDITS has positions of events, and the copied events have other positions. An entry of
  // LEAVING_STAFF counts for a minute. Of the state of operators only what is skipped is copied: the rest counts requests of this
  // store, and concerns its read models.
  for (const collection of [AUDITS, LEAVING_STAFF, OPERATOR_STATE]) await documents.prepare(collection);
  for (const { collection } of ACCOUNT_COLLECTIONS) await documents.prepare(collection);
};

/**
 * Copies to another store what cannot be rebuilt from the log. Call this before the log is copied: otherwise, consumers of
 * the copied log would send finished deliveries again. A repeated call does no harm.
 */
export const copyKeptDocuments = async (from: Documents, to: CopyTarget): Promise<void> => {
  for (const { collection, sort } of ACCOUNT_COLLECTIONS) await copyCollection(collection, sort, from, to.documents);
  await copyDeliveries(from, to);
  await copyForgottenDay(from, to.documents);
  await copySkipped(from, to.documents);
};

const copyCollection = async (collection: Collection, sort: string, from: Documents, to: Documents): Promise<void> => {
  await to.prepare(collection);
  for (let offset = 0; ; offset += PAGE) {
    const page = await from.find(collection, { where: {}, sort: [sort], limit: PAGE, offset });
    await to.apply(page.map((document) => ({ kind: 'put', collection, document })));
    if (page.length < PAGE) return;
  }
};

/** Copies which events read models and consumers leave out. */
const copySkipped = async (from: Documents, to: Documents): Promise<void> => {
  const { skipped = [] } = (await new StateStore<OperatorState>(from, OPERATOR_STATE).get(OPERATOR_STATE_KEY))?.value ?? {};
  await to.prepare(OPERATOR_STATE);
  const states = new StateStore<OperatorState>(to, OPERATOR_STATE);
  // An earlier copy, which was interrupted, may have brought more.
  const outcome = await states.change(OPERATOR_STATE_KEY, (stored) =>
    skipped.length > 0 || stored?.value.skipped ? { value: { ...stored?.value, skipped }, fields: {} } : null,
  );
  if (outcome === 'contended') throw new StoreUnavailable('the skipped events could not be copied: others change the copy');
};
