import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateUser } from '../../../../libs/application/users/user.commands.js';
import { FindAccount, ListAccounts } from '../../../../libs/application/users/user.queries.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { OPERATORS } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { digestTag, pageRequest, sendPage } from '../../http/collections.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import type { PublicAddress } from '../../http/public-address.js';
import { PRIVATE_REVALIDATE, sendCreated, sendRead } from '../../http/responses.js';
import { queryShapeOf } from '../../http/validation/query-shape.js';
import { shapeOf } from '../../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../../tokens.js';
import { newUserProfile } from '../../users/user.dto.js';
import { Account, AccountCollection, accountJson, AccountQuery, AccountRequest } from './account.dto.js';
import { ACCOUNT_COLLECTION_EXAMPLE, ACCOUNT_EXAMPLE, NEW_ACCOUNT_EXAMPLE } from './account.examples.js';

/** Creates and reads accounts for operators (contract 30.8). */
@Controller()
export class AccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'listAccounts',
    method: 'GET',
    path: '/v1/ops/users',
    access: OPERATORS,
    tag: 'Operations',
    summary: 'List accounts with their status',
    description: 'Newest first. With the parameter username, the list has only the account with this username, or is empty.',
    query: queryShapeOf(AccountQuery),
    success: { status: 200, description: 'A page of accounts', schema: AccountCollection, example: ACCOUNT_COLLECTION_EXAMPLE },
    problems: [],
  })
  async list({ call }: OperationRequest<{ query: AccountQuery }>, reply: FastifyReply): Promise<void> {
    const { page, limit } = pageRequest(call.query);
    const { items, totalItems } = await this.find(call, page, limit);
    sendPage(reply, { items: items.map(accountJson), totalItems }, call.query, { url: `${this.address.url}/v1/ops/users` });
  }

  @Operation({
    id: 'createAccount',
    security: 'grant',
    takesReason: true,
    method: 'POST',
    path: '/v1/ops/users',
    access: OPERATORS,
    tag: 'Operations',
    summary: 'Create an account, optionally with the role of staff',
    description: 'Does the same as POST /v1/users. With `staff: true`, the account has the role of staff, and its username may be admin.',
    body: shapeOf(AccountRequest),
    bodyExample: NEW_ACCOUNT_EXAMPLE,
    idempotent: true,
    success: { status: 201, description: 'The account', schema: Account, example: { ...ACCOUNT_EXAMPLE, staff: true } },
    problems: ['name_taken', 'user_erased'],
  })
  async create({ call }: OperationRequest<{ body: AccountRequest }>, reply: FastifyReply): Promise<void> {
    const { staff: isStaff = false, password } = call.body;
    const options = { operation: 'createAccount', isStaff } as const;
    const outcome = await this.commands.execute(new CreateUser(newUserProfile(call.body), password, call.context(), options));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    const json = accountJson({ json: outcome.json, isStaff, isDisabled: false });
    sendCreated(reply, { ...outcome, json }, `${this.address.url}/v1/ops/users/${outcome.id}`);
  }

  @Operation({
    id: 'getAccount',
    method: 'GET',
    path: '/v1/ops/users/{id}',
    access: OPERATORS,
    idForm: 'any',
    tag: 'Operations',
    summary: 'Read an account with its status',
    description: 'The status shows whether the account has the role of staff, and whether it is disabled.',
    success: { status: 200, description: 'The account', schema: Account, example: ACCOUNT_EXAMPLE },
    problems: ['user_not_found'],
  })
  async get({ call: { id, tenant } }: OperationRequest, reply: FastifyReply): Promise<void> {
    const account = await this.queries.execute(new FindAccount({ id }, tenant));
    if (!account) throw rejectionProblem({ rejected: 'user_not_found' });
    const json = accountJson(account);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  /** Returns a page of all accounts. With `username`, returns at most one account, which is on page 1. */
  private async find({ query, tenant }: CallOf<{ query: AccountQuery }>, page: number, limit: number) {
    if (query.username === undefined) return this.queries.execute(new ListAccounts(page, limit, tenant));
    const account = await this.queries.execute(new FindAccount({ username: query.username }, tenant));
    return { items: account && page === 1 ? [account] : [], totalItems: account ? 1 : 0 };
  }
}
