import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually.js';
import type { Receiver } from '../servers/receiver.js';
import { addressOfKind, MAKERS, type Resource, type ResourceKind, type SendRequest, type MakerContext } from './resources.js';
import type { Page } from './shop.js';

/** The scopes of a tenant's staff. */
export const STAFF_SCOPES = 'write:pets read:pets write:orders write:webhooks audit:read ops chat:write';

/** A tenant with one resource of each kind, and a webhook endpoint for the status changes of its orders. */
export type TenantScene = {
  readonly tenant: string | undefined;
  readonly request: SendRequest;
  readonly receiver: Receiver;
  readonly resources: Readonly<Record<ResourceKind, Resource>>;
};

const KINDS = Object.keys(MAKERS) as readonly ResourceKind[];

/** Creates the resources of a tenant. Resolves when all webhooks about them are delivered. */
export const openTenant = async (tenant: string | undefined, request: SendRequest, receiver: Receiver): Promise<TenantScene> => {
  const context: MakerContext = { request, receiver: receiver.url, owner: 'ann' };
  await request('POST', '/v1/webhooks', { body: { url: `${receiver.url}/orders`, events: ['order.statusChanged'] } });
  const resources = {} as Record<ResourceKind, Resource>;
  for (const kind of KINDS) resources[kind] = await MAKERS[kind](context);
  const scene = { tenant, request, receiver, resources };
  await waitForDeliveries(scene);
  return scene;
};

/** Waits until the receiver has the webhook about the shipment of the shipped order, and every delivery has succeeded. */
const waitForDeliveries = async ({ request, receiver, resources }: TenantScene): Promise<void> => {
  const { json: webhooks } = await request<Page<Resource>>('GET', '/v1/webhooks');
  await eventually('all deliveries', async () => {
    const shipped = receiver.received.filter(({ body }) => body.includes(resources['shipped order'].id) && body.includes('"shipped"'));
    const lists = webhooks.data.map(({ id }) => request<Page<{ status: string }>>('GET', `/v1/webhooks/${id}/deliveries?limit=100`));
    const deliveries = (await Promise.all(lists)).flatMap(({ json }) => json.data);
    return shipped.length > 0 && deliveries.every(({ status }) => status === 'delivered');
  });
};

/** Returns the ids of all resources of a tenant. */
export const idsOf = ({ resources }: Pick<TenantScene, 'resources'>): readonly string[] => [
  ...new Set(
    Object.values(resources).flatMap((resource) => ['id', 'deliveryId', 'redeliveryId'].flatMap((name) => resource[name as 'id'] ?? [])),
  ),
];

/** Returns a resource of the same kind that does not exist: its ids are random. */
export const unknownResource = (resource: Resource): Resource => {
  const id = randomUUID();
  const others = Object.keys(resource).map((name) => [name, randomUUID()] as const);
  return { ...(Object.fromEntries(others) as Partial<Resource>), id, ...(resource.stream !== undefined && { stream: `pet-${id}` }) };
};

/** Returns everything that staff can read in their own tenant. */
export const viewOf = async ({ request, resources }: TenantScene): Promise<readonly unknown[]> => {
  const [paid, delivery, redelivery] = [resources['paid order'], resources.delivery, resources.redelivery];
  const paths = [
    '/v1/pets?status=ALL&limit=100',
    '/v1/orders?limit=100',
    '/v1/webhooks',
    '/v1/inventories',
    '/v1/users',
    '/v1/ops/users',
    '/v1/ops/clients',
    ...KINDS.map((kind) => addressOfKind(kind, resources[kind])),
    `/v1/orders/${paid.id}/payment`,
    `/v1/orders/${paid.id}/receipt`,
    `/v1/webhooks/${delivery.id}/deliveries`,
    `/v1/webhooks/${redelivery.id}/redelivery/${redelivery.redeliveryId}`,
  ];
  const view: unknown[] = [];
  for (const path of paths) {
    const { status, json } = await request('GET', path);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    view.push([path, json]);
  }
  return view;
};
