import type { Answer } from './client.js';

/** What a stack, a driver or a framework would say; no client has any use for it. */
const TELLTALES = [
  /\n\s+at /,
  /node_modules/,
  /\bnode:(internal|http|sqlite)/,
  /\b(FST|ERR|SQLITE)_[A-Z]/,
  /class-validator|ajv|fastify|nestjs/i,
  /\.(ts|js):\d+/,
  /Unexpected token|JSON\.parse|is not valid JSON/,
  /SyntaxError|TypeError|RangeError/,
];

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance'];

/**
 * What is true of every answer of the interface: no server error, no trace of what it is made of, and a refusal is a
 * problem: "Problems carry `instance` (the request path) and `detail` always, `errors` on every 422." "Nothing ever
 * answers a stack trace, a library's message or HTML to an API client."
 */
export const checkManners = (method: string, path: string, { status, headers, text, json }: Answer): void => {
  const complain = (what: string): never => {
    throw new Error(`${method} ${path} answered ${status} ${what}: ${text.slice(0, 1000)}`);
  };
  if (status >= 500 && status !== 503) complain('though nothing a client sends may break the server');
  if (status < 400) return;
  if (method !== 'HEAD') checkProblem(path, status, json, headers['content-type'], complain);
  const told = TELLTALES.find((telltale) => telltale.test(text));
  if (told) complain(`and tells of its inside (${String(told)})`);
  if (status === 401 && headers['www-authenticate'] === undefined) complain('without WWW-Authenticate');
  if (status === 405 && headers.allow === undefined) complain('without Allow');
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) complain('without Retry-After');
};

const checkProblem = (path: string, status: number, json: unknown, type: string | undefined, complain: (what: string) => never): void => {
  if (!type?.startsWith('application/problem+json')) complain(`as ${type}, which is no problem`);
  const problem = json as Readonly<Record<string, unknown>>;
  const missing = PROBLEM_MEMBERS.filter((name) => !problem[name]);
  if (missing.length > 0) complain(`without ${missing.join(', ')}`);
  if (problem['status'] !== status) complain(`and says another status`);
  // Of a long path the first 1,024 characters are repeated.
  if (problem['instance'] !== path.split('?')[0]?.slice(0, 1_024)) complain(`and says another instance`);
  if (status === 422 && !Array.isArray(problem['errors'])) complain('without errors');
};
