import type { Documents, StoredDocument } from '../eventsourcing/ports/documents.port.js';
import { webhooksProjection, type Webhook, type WebhookFields } from '../projections/webhooks.projection.js';
import { webhookStream, type WebhookId } from '../domain/ids.js';
import type { DocumentFolds } from './announce/event-context.js';

/** The state of an endpoint's secrets in the read model. */
export type SecretRotation = Pick<WebhookFields, 'secret' | 'rotatedAt'>;

/** A webhook endpoint with the fields that sending needs. */
export type Endpoint = Pick<Webhook, 'id' | 'url' | 'events' | 'ordered' | 'secretName' | 'status'> &
  Pick<WebhookFields, 'tenant' | 'enabledAt'> &
  SecretRotation;

const { collection } = webhooksProjection;

/** The limit of the query for a tenant's endpoints. It exceeds the maximum number of endpoints per tenant. */
const LIMIT = 1_000;

/** Reads an endpoint from its document. */
export const endpointOf = ({ json, fields }: StoredDocument): Endpoint => ({
  ...(JSON.parse(json) as Webhook),
  ...(fields as WebhookFields),
});

/** Whether any tenant has an endpoint. Reads only a total, which is cheap. */
export const hasEndpoints = async (documents: Pick<Documents, 'sum'>): Promise<boolean> => {
  // A sum that is not grouped has the key '' only, or no key if nothing was counted.
  const { '': count = 0 } = await documents.sum(collection, {});
  return count > 0;
};

/** Finds all endpoints of a tenant. */
export const endpointsOf = async (documents: Documents, tenant: string): Promise<readonly Endpoint[]> => {
  const found = await documents.find(collection, { where: { tenant }, sort: ['-createdAt'], limit: LIMIT, offset: 0 });
  return found.map(endpointOf);
};

/** Finds an endpoint; null when it does not exist or was removed. */
export const findEndpoint = async (documents: Documents, id: string): Promise<Endpoint | null> => {
  const document = await documents.get(collection, id);
  return document && endpointOf(document);
};

/** Finds an endpoint of a tenant; null when it belongs to another tenant. */
export const findEndpointOfTenant = async (documents: Documents, id: string, tenant: string): Promise<Endpoint | null> => {
  const endpoint = await findEndpoint(documents, id);
  return endpoint?.tenant === tenant ? endpoint : null;
};

/**
 * Loads an endpoint from its stream, because the read model may lag. Returns null if the endpoint does not exist or was
 * removed.
 */
export const loadWebhook = async (folds: DocumentFolds, id: string): Promise<Webhook | null> => {
  const { document } = await folds.upTo(webhookStream(id as WebhookId));
  return document && (document.body as Webhook);
};
