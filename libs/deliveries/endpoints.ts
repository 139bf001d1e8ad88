import type { Documents, StoredDocument } from '../eventsourcing/ports/documents.port.js';
import { webhooksProjection, type Webhook, type WebhookFields } from '../projections/webhooks.projection.js';
import type { VerifiedLog } from '../runtime/codec/verified-history.js';
import { documentFromLog } from '../runtime/projecting/document-from-log.js';
import type { SecretRotation } from './signing/webhook-secrets.js';

/** A webhook endpoint, as far as sending to it needs to know. */
export type Endpoint = Pick<Webhook, 'id' | 'url' | 'events' | 'ordered' | 'status'> &
  Pick<WebhookFields, 'tenant' | 'enabledAt'> &
  SecretRotation;

const { collection } = webhooksProjection;

/** More than a tenant may have. */
const MOST = 1_000;

/** An endpoint as its document says. */
export const endpointOf = ({ json, fields }: StoredDocument): Endpoint => ({
  ...(JSON.parse(json) as Webhook),
  ...(fields as WebhookFields),
});

/** Whether there is any, of whatever tenant: answered from totals, which costs next to nothing. */
export const hasEndpoints = async (documents: Pick<Documents, 'sum'>): Promise<boolean> => {
  const { '': count = 0 } = await documents.sum(collection, {});
  return count > 0;
};

/** All endpoints of a tenant. */
export const endpointsOf = async (documents: Documents, tenant: string): Promise<readonly Endpoint[]> => {
  const found = await documents.find(collection, { where: { tenant }, sort: ['-createdAt'], limit: MOST, offset: 0 });
  return found.map(endpointOf);
};

/** An endpoint, or null when there is none, or none any more. */
export const findEndpoint = async (documents: Documents, id: string): Promise<Endpoint | null> => {
  const document = await documents.get(collection, id);
  return document && endpointOf(document);
};

/** The same where it is the tenant's. */
export const findEndpointOfTenant = async (documents: Documents, id: string, tenant: string): Promise<Endpoint | null> => {
  const endpoint = await findEndpoint(documents, id);
  return endpoint?.tenant === tenant ? endpoint : null;
};

/** An endpoint as its log says, whether or not its read model has heard of it; null when there is none, or none any more. */
export const loadWebhook = async (log: VerifiedLog, id: string): Promise<Webhook | null> => {
  const document = await documentFromLog(log, webhooksProjection, id);
  return document && (JSON.parse(document.json) as Webhook);
};
