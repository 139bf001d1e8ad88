/** Matches `*`, or a list of entity tags. A weak tag starts with `W/`. */
const ENTITY_TAGS = '^(\\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$';

const UUID = { type: 'string', format: 'uuid' };

/**
 * The path parameters and request headers. They have no `example`, because tools like Swagger UI would send the example
 * with each request. The second request with the same `Idempotency-Key`, for instance, would get a replayed response.
 */
export const parameters = {
  id: { name: 'id', in: 'path', required: true, description: 'Id of the resource', schema: UUID },
  stream: {
    name: 'stream',
    in: 'path',
    required: true,
    description: 'Name of the stream: a prefix and an id. The prefix is `pet-`, `order-`, `payment-`, `adoption-`, `user-` or `webhook-`',
    schema: { type: 'string' },
  },
  requestId: {
    name: 'requestId',
    in: 'path',
    required: true,
    description: 'Id of a request: the X-Request-Id of its response',
    schema: { type: 'string' },
  },
  export: { name: 'export', in: 'path', required: true, description: 'Id of an export', schema: { type: 'string' } },
  deliveryId: { name: 'deliveryId', in: 'path', required: true, description: 'Id of the delivery', schema: UUID },
  redeliveryId: { name: 'redeliveryId', in: 'path', required: true, description: 'Id of the redelivery', schema: UUID },
  projection: { name: 'projection', in: 'path', required: true, description: 'Name of the read model', schema: { type: 'string' } },
  kid: { name: 'kid', in: 'path', required: true, description: 'Id of a key that signs tokens', schema: { type: 'string' } },
  imageId: { name: 'imageId', in: 'path', required: true, description: 'Id of the image', schema: UUID },
  range: { name: 'Range', in: 'header', description: 'One range of bytes, such as `bytes=0-1023`', schema: { type: 'string' } },
  ifRange: {
    name: 'If-Range',
    in: 'header',
    description: 'The ETag of the bytes that the client has. If the image has another ETag, the response contains the whole image',
    schema: { type: 'string' },
  },
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
      'The Consistency-Token in the response to a write, unchanged, such as `pet=8.order=9`. The read waits up to 2 seconds until it sees that write. If it does not see the write by then, the response is 503. The embedded profile ignores the header.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique text, such as a UUID. A repeated request with the same key and the same body has no further effect and returns the first response.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  changeReason: {
    name: 'Change-Reason',
    in: 'header',
    description:
      'Why, for the log: up to 500 characters in UTF-8, percent-encoded. It is kept with the security event, so it must name no persons.',
    schema: { type: 'string' },
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
    // A read accepts any text: a text that is no list of tags matches nothing (contract 8.2).
    schema: { type: 'string' },
  },
  ifNoneMatchOfPost: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags, such as `"0.1"`. If the result has one of them, the response is 412.',
    schema: { type: 'string' },
  },
  ifNoneMatchOfChange: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags, such as `"0.1"`. If the resource has one of them, it is not changed and the response is 412.',
    schema: { type: 'string', pattern: ENTITY_TAGS },
  },
};
