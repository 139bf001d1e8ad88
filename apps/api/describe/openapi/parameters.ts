/** Matches `*`, or a list of entity tags. A weak tag starts with `W/`. */
const ENTITY_TAGS = '^(\\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$';

const UUID = { type: 'string', format: 'uuid' };

/**
 * The path parameters and request headers. They have no `example`, because tools like Swagger UI would send
 * it with each request. A used `Idempotency-Key` would replay an old response, for example.
 */
export const parameters = {
  id: { name: 'id', in: 'path', required: true, description: 'Id of the resource', schema: UUID },
  deliveryId: { name: 'deliveryId', in: 'path', required: true, description: 'Id of the delivery', schema: UUID },
  redeliveryId: { name: 'redeliveryId', in: 'path', required: true, description: 'Id of the redelivery', schema: UUID },
  tenant: {
    name: 'X-Tenant-ID',
    in: 'header',
    description: 'The tenant. Default: the tenant of the token, or the shared pool',
    schema: UUID,
  },
  consistencyToken: {
    name: 'Consistency-Token',
    in: 'header',
    description:
      'The Consistency-Token of a write, unchanged, such as `pet=8.order=9`. The read waits until it sees that write. After 2 seconds the response is 503. The embedded profile ignores the header.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique text, such as a UUID. A repeated request with the same key and the same body has no further effect and returns the first response.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Entity tags, such as `"0.1"`. The change is made only if the resource has one of them. Otherwise the response is 412.',
    schema: { type: 'string', pattern: ENTITY_TAGS },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags, such as `"0.1"`. If the resource has one of them, the response is 304.',
    schema: { type: 'string' },
  },
  ifNoneMatchOfChange: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags, such as `"0.1"`. If the resource has one of them, it is not changed and the response is 412.',
    schema: { type: 'string', pattern: ENTITY_TAGS },
  },
};
