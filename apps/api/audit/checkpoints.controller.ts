import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { MakeCheckpoint } from '../../../libs/application/audit/checkpoint.commands.js';
import { ListCheckpoints, ListProofKeys } from '../../../libs/application/audit/checkpoint.queries.js';
import { OPERATORS, PUBLIC, withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { PageQuery } from '../http/collection.dto.js';
import { digestTag, pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import { JSON_TYPE, REVALIDATE, sendRead } from '../http/responses.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { CheckpointCollection, ProofKeySet, SignedCheckpoint } from './checkpoint.dto.js';
import { CHECKPOINT_COLLECTION_EXAMPLE, PROOF_KEY_SET_EXAMPLE, SIGNED_CHECKPOINT_EXAMPLE } from './checkpoint.examples.js';

/** Serves checkpoints and the keys that verify them (contract 35.1 to 35.3). */
@Controller()
export class CheckpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'makeCheckpoint',
    security: 'audit-read',
    method: 'POST',
    path: '/v1/audit/checkpoints',
    access: OPERATORS,
    wholeStore: true,
    tag: 'Audit',
    summary: 'Sign a checkpoint of the log now',
    description:
      'For operators whose token has no tenant. If the log has no event after the last checkpoint, returns the last checkpoint. ' +
      'The operation ignores a JSON body.',
    success: {
      status: 200,
      description: 'The checkpoint',
      schema: SignedCheckpoint,
      example: SIGNED_CHECKPOINT_EXAMPLE,
      withoutEtag: true,
    },
    problems: [],
  })
  async make(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const made = await this.commands.execute(new MakeCheckpoint());
    if (!made) throw new Problem('not-found', 'The log has no events, so there is nothing to sign.');
    reply.code(200).header('cache-control', 'no-store').header('content-type', JSON_TYPE).send(JSON.stringify(made));
  }

  @Operation({
    id: 'listCheckpoints',
    security: 'audit-read',
    method: 'GET',
    path: '/v1/audit/checkpoints',
    access: withScope('audit:read'),
    wholeStore: true,
    tag: 'Audit',
    summary: 'List the signed checkpoints of the log',
    description:
      'For auditors whose token has no tenant. Keep copies of the checkpoints outside of the service. ' +
      'If somebody rewrites the log later, the log no longer matches these copies.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of checkpoints', schema: CheckpointCollection, example: CHECKPOINT_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: PageQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    sendPage(reply, await this.queries.execute(new ListCheckpoints(page, limit)), call.query);
  }

  @Operation({
    id: 'listProofKeys',
    method: 'GET',
    path: '/v1/audit/public-keys',
    // Anyone who verifies a checkpoint needs the key, and may have no token of this service.
    access: PUBLIC,
    wholeStore: true,
    tag: 'Audit',
    summary: 'Read the public keys of checkpoints',
    description:
      'Keep a copy of the keys outside of the service. ' +
      'Verify checkpoints with this copy. Somebody who has changed the log may also have changed the keys in the service.',
    success: { status: 200, description: 'The public keys', schema: ProofKeySet, example: PROOF_KEY_SET_EXAMPLE },
    problems: [],
  })
  async publicKeys(_: OperationRequest, reply: FastifyReply): Promise<void> {
    const json = JSON.stringify({ keys: await this.queries.execute(new ListProofKeys()) });
    sendRead(reply, json, digestTag(json), REVALIDATE);
  }
}
