import { STATUS_CODES } from 'node:http';
import type { OperationRecord } from '../../../http/operation.js';
import { PROBLEMS, type ProblemKind } from '../../../http/problems/problem-kinds.js';
import { Problem, PROBLEM_JSON, problemBody } from '../../../http/problems/problem.js';
import { prefixOf } from '../../../http/public-address.js';
import { OPERATIONS } from '../../../operations.js';
import { operationProblems } from '../../operation-problems.js';
import { copyableHtml, escapeHtml, pageHtml } from '../page.js';
import { codeTable } from './errors-page.js';
import { PROBLEM_EXAMPLES, type ProblemExample } from './problem-examples.js';

/** Creates the page of a kind of problem. */
export const errorKindHtml = (kind: ProblemKind, publicUrl: string): string => {
  const { status, title, cause, remedy } = PROBLEMS[kind];
  const example = PROBLEM_EXAMPLES[kind];
  const body = `<main class="page"><p class="crumbs"><a href="/errors">Errors</a> <span class="status">${status}</span></p>
<h1>${escapeHtml(title)}</h1>
<h2>Cause</h2>
<p>${escapeHtml(cause)}</p>
<h2>Remedy</h2>
<p>${escapeHtml(remedy)}</p>
<h2>Example</h2>
<p>This request:</p>
${copyableHtml(requestText(example, publicUrl))}
<p>gets this response:</p>
${copyableHtml(responseText(kind, example, publicUrl))}
${example.errors ? `<h2>Codes in <code>errors</code></h2>\n${codeTable()}\n` : ''}<h2>Operations that return this problem</h2>
${operationsHtml(kind)}</main>`;
  return pageHtml({ title, section: '/errors', body });
};

const headerLines = (headers: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

const requestText = ({ method, path, requestHeaders, body }: ProblemExample, publicUrl: string): string =>
  [
    `${method} ${prefixOf(publicUrl)}${path} HTTP/1.1`,
    ...headerLines({ Host: new URL(publicUrl).host, ...requestHeaders }),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n');

const responseText = (kind: ProblemKind, { path, headers, detail, errors, instance }: ProblemExample, publicUrl: string): string => {
  const { status } = PROBLEMS[kind];
  const problem = problemBody(new Problem(kind, detail, errors && { errors }), publicUrl, instance ?? path);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headerLines({ 'Content-Type': PROBLEM_JSON, ...headers }),
    '',
    JSON.stringify(problem, null, 2),
  ].join('\n');
};

/** If `operationProblems` returns a kind for no operation, the page of the kind has this text instead of a list. */
const BEFORE_OPERATIONS = 'Any address may return this problem, because the request is rejected before its operation is known.';
const BROKEN_HISTORY = 'Every operation that reads or changes the resource returns this problem.';

/** The text in place of BEFORE_OPERATIONS, for kinds that operations return although `operationProblems` does not list them. */
const WITHOUT_OPERATIONS: Partial<Readonly<Record<ProblemKind, string>>> = {
  'malformed-request': 'Any address may return this problem. Operations with a body return it when the body is missing or is not JSON.',
  'history-altered': BROKEN_HISTORY,
  'history-unreadable': BROKEN_HISTORY,
};

const operationsHtml = (kind: ProblemKind): string => {
  const all = Object.values(OPERATIONS);
  const returning = all.filter((operation) => operationProblems(operation).includes(kind));
  if (returning.length === 0) return `<p>${WITHOUT_OPERATIONS[kind] ?? BEFORE_OPERATIONS}</p>`;
  if (returning.length === all.length) return `<p>Every operation of <a href="/docs">the interface</a> may return it.</p>`;
  return `<ul class="operations">${returning.map(operationHtml).join('')}</ul>`;
};

const operationHtml = ({ id, method, path, tag, summary }: OperationRecord): string =>
  `<li><a href="/docs#/${tag}/${id}"><span class="method">${method}</span><code>${escapeHtml(path)}</code></a><span>${escapeHtml(summary)}</span></li>`;
