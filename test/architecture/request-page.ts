import { REQUEST_STEPS } from '../../apps/api/http/request-steps.js';
import { PROBLEMS } from '../../apps/api/http/problems/problem-kinds.js';
import { row, table } from './markdown-table.js';

export const REQUEST_PAGE = 'docs/life-of-a-request.md';

const RUNS_IN = {
  socket: 'Node’s server',
  router: 'the router',
  onRequest: '`onRequest`',
  body: 'the body parser',
  preHandler: '`preHandler`',
  nest: 'Nest',
  onSend: '`onSend`',
  onResponse: '`onResponse`',
};

type Step = (typeof REQUEST_STEPS)[number];

const isKind = (answer: string): answer is keyof typeof PROBLEMS => answer in PROBLEMS;

/** Names an answer with its status: `403 forbidden`. */
const answerOf = (answer: string): string => (isKind(answer) ? `${PROBLEMS[answer].status} ${answer}` : answer);

const stepRow = (step: Step, index: number): string => {
  const when = 'when' in step ? ` ${step.when}` : '';
  const of = step.of === 'all' ? 'all' : 'operations';
  const link = `[${step.name}](../apps/api/http/${step.file})`;
  return row(index + 1, link, RUNS_IN[step.at], of, `${step.does}${when}`, step.answers.map(answerOf).join(', '));
};

/** Returns the page that shows the steps of a request. */
export const requestPage = (): string => `# The life of a request

The steps of a request, from its socket to its answer. The first step that finds a fault answers; the ones below it do not run
([contract 2.5](contract.md#25-order-of-checks)).
\`npm run format\` makes this page from [request-steps.ts](../apps/api/http/request-steps.ts). Fastify and Nest fix the order of the kinds in the
column "Runs in"; the hooks of one kind run in the order of that list. To add a step, add its row: the code does not compile
until the row has its hook, in \`prepareServer\` of [api.ts](../apps/api/api.ts) for all requests, in
[operation-routes.ts](../apps/api/operation-routes.ts) for operations.

${table(['', 'Step', 'Runs in', 'Requests', 'What it does', 'May answer'], REQUEST_STEPS.map(stepRow)).join('\n')}

**Every problem is sent by one function**, in [problem-sender.ts](../apps/api/http/problems/problem-sender.ts): whatever a
hook, Nest or a handler throws comes there, and [failures.ts](../apps/api/http/problems/failures.ts) says what it means. Only the
parser answers at the socket itself.

## The tables behind the steps

| Question | Table |
|---|---|
| Which kinds of problems are there, with which status? | \`PROBLEMS\` in [problem-kinds.ts](../apps/api/http/problems/problem-kinds.ts) |
| What becomes of a rejection of a command? | [rejection-problems.ts](../apps/api/http/problems/rejection-problems.ts) |
| Who may do what? | \`access\` of each operation, with the terms of [access.ts](../apps/api/http/admission/access.ts); [authorization.ts](../apps/api/http/admission/authorization.ts) decides; all of them in [contract 5.6](contract.md) |
| What counts towards which limit? | [request-limits.ts](../apps/api/http/admission/request-limits.ts), and the sizes and times in [limits.ts](../apps/api/limits.ts) |

## Operations, and other addresses

An operation is declared by \`@Operation\` on the method of a controller: its address, access, body, answers and document. Pages,
documents and health checks are ordinary routes of Nest: they pass the steps of all requests only. The authorization server has
routes of its own below [oauth](../apps/api/oauth/oauth-routes.ts), with limits of its own.

## What Nest does here, and what Fastify does

Nest creates the controllers and dispatches to them, so guards, interceptors, pipes and middleware work as in any application of
Nest. \`@Param()\`, \`@Query()\` and \`@Body()\` give the validated values. Hooks of Fastify do what must come before the body is read, or
must hold for every operation.
`;
