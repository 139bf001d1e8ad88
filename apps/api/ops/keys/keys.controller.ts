import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RemoveSigningKey, RotateKey } from '../../../../libs/application/keys/key.commands.js';
import { ListKeys } from '../../../../libs/application/keys/key.queries.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { OperationRequest } from '../../http/call.js';
import { PageQuery } from '../../http/collection.dto.js';
import { pageRequest, sendPage } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import { JSON_TYPE, sendNoContent } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { RotationQuery, ServiceKey, ServiceKeyCollection } from './key.dto.js';
import { ANNOUNCED_KEY_EXAMPLE, SERVICE_KEY_COLLECTION_EXAMPLE } from './key.examples.js';

@Controller()
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'listKeys',
    method: 'GET',
    path: '/v1/ops/keys',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Keys',
    summary: 'List the keys of the service',
    description:
      'For operators whose token has no tenant. The keys for tokens are first, then the keys for checkpoints, each newest first. ' +
      'Ed25519 keys for tokens, which an earlier version made, come after RSA keys. Secrets are not shown.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of keys', schema: ServiceKeyCollection, example: SERVICE_KEY_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    sendPage(reply, await this.queries.execute(new ListKeys(page, limit)), call.query);
  }

  @Operation({
    id: 'rotateSigningKey',
    security: 'key-change',
    takesReason: true,
    method: 'POST',
    path: '/v1/ops/keys/rotation',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Keys',
    summary: 'Rotate the key that signs tokens or checkpoints',
    description:
      'For operators whose token has no tenant. Creates a key for checkpoints, which signs them from now on, or an RSA key for tokens. ' +
      'A key for tokens is announced among the public keys for 10 minutes, so that every resource server knows it, and then signs. ' +
      'With `now=true` it signs at once. Tokens of the former keys stay valid until they expire. Checkpoints of the former keys ' +
      'stay valid. The operation ignores a JSON body.',
    idempotent: true,
    query: queryShapeOf(RotationQuery),
    success: { status: 200, description: 'The new key', schema: ServiceKey, example: ANNOUNCED_KEY_EXAMPLE, withoutEtag: true },
    problems: ['key_announced', 'key_in_file'],
  })
  async rotate({ call }: OperationRequest<{ query: RotationQuery }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RotateKey(call.context(), call.query.kind ?? 'token-signing', call.query.now ?? false));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    const { key, replayed } = outcome;
    if (replayed) reply.header('idempotent-replayed', 'true');
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(key));
  }

  @Operation({
    id: 'removeSigningKey',
    security: 'key-change',
    takesReason: true,
    method: 'DELETE',
    path: '/v1/ops/keys/{kid}',
    access: OPERATORS,
    wholeStore: true,
    idForm: 'case-sensitive',
    tag: 'Keys',
    summary: 'Remove a former or announced key of tokens',
    description:
      'For operators whose token has no tenant. Use this operation if somebody else may know the key. ' +
      'Within a second, every process rejects the tokens that the key signed. ' +
      'The current key cannot be removed: rotate the keys first.',
    success: { status: 204, description: 'The key is removed' },
    problems: ['key_not_found', 'key_in_use', 'key_verifies_checkpoints'],
  })
  async remove({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new RemoveSigningKey(call.id));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
