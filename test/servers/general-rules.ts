import type { HttpResponse } from './client.js';

/** Texts of stack traces, drivers and frameworks, which no response may contain (contract 4.7). */
const INTERNAL_TEXTS = [
  /\n\s+at /,
  /node_modules/,
  /\bnode:(internal|http|sqlite)/,
  /\b(FST|ERR|SQLITE)_[A-Z]/,
  // A random id, such as 6CY71AJvcdgFo4sNso87REQKASzpjCA95f0aCXDHLxw, is not the name of a library.
  /(?<![\w-])(?:class-validator|ajv|fastify|nestjs)(?![\w-]{20})/i,
  /\.(ts|js):\d+/,
  /Unexpected token|JSON\.parse|is not valid JSON/,
  /SyntaxError|TypeError|RangeError/,
];

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance'];

/** The paths whose creations have no URL: tokens, and answers of the advisor (contract 2.7). */
const WITHOUT_LOCATION = /^\/(?:v1\/auth\/tokens|v1\/chat\/completions|api\/v3\/)/;

/**
 * Checks the rules of every response. 503 is the only server error that is allowed, and no response contains internal texts. A
 * failure is a problem with all its fields (contract 4.1, contract 4.4, contract 4.7 and contract 4.8). A failure in the classic
 * variant or in the OpenAI API is an error in the form of that API.
 */
export const checkGeneralRules = (method: string, path: string, { status, headers, text, json }: Omit<HttpResponse, 'bytes'>): void => {
  const fail = (what: string): never => {
    throw new Error(`${method} ${path} returned ${status} ${what}: ${text.slice(0, 1000)}`);
  };
  if (status >= 500 && status !== 503) fail('although no request may cause a server error');
  const isClassic = path === '/api/v3' || path.startsWith('/api/v3/');
  if (isClassic && (headers['deprecation'] === undefined || headers['sunset'] === undefined)) fail('without Deprecation and Sunset');
  if (status === 201 && (headers.location === undefined) !== WITHOUT_LOCATION.test(path)) fail('with or without Location');
  if (status < 400) return;
  if (method !== 'HEAD' && path.startsWith('/v1/openai')) checkOpenaiError(json, fail);
  else if (method !== 'HEAD') (isClassic ? checkClassicError : checkProblem)(path, status, json, headers['content-type'], fail);
  const internal = INTERNAL_TEXTS.find((pattern) => pattern.test(text));
  if (internal) fail(`with an internal message (${String(internal)})`);
  if (status === 401 && !headers['www-authenticate']?.startsWith('Bearer realm=')) fail('without a WWW-Authenticate of RFC 6750');
  if (status === 405 && headers.allow === undefined) fail('without Allow');
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) fail('without Retry-After');
};

/** Checks an error of the operations for clients of OpenAI. They get the error objects of OpenAI (contract 41.9). */
const checkOpenaiError = (json: unknown, fail: (what: string) => never): void => {
  const { error } = json as { readonly error?: object };
  if (Object.keys(error ?? {}).join() !== 'message,type,param,code') fail('without an error object');
};

/** Checks an error of the classic variant (contract 39.5). */
const checkClassicError = (_: string, status: number, json: unknown, type: string | undefined, fail: (what: string) => never): void => {
  if (!type?.startsWith('application/json')) fail(`as ${type}, which is not JSON`);
  const error = json as Readonly<Record<string, unknown>>;
  if (Object.keys(error).join() !== 'code,type,message' || !error['type'] || !error['message']) fail('without code, type and message');
  if (error['code'] !== status) fail('with another status in the body');
};

const checkProblem = (path: string, status: number, json: unknown, type: string | undefined, fail: (what: string) => never): void => {
  if (!type?.startsWith('application/problem+json')) fail(`as ${type}, which is not a problem`);
  const problem = json as Readonly<Record<string, unknown>>;
  const missing = PROBLEM_MEMBERS.filter((name) => !problem[name]);
  if (missing.length > 0) fail(`without ${missing.join(', ')}`);
  if (problem['status'] !== status) fail('with another status in the body');
  // `instance` has at most 1,024 characters of the path.
  if (problem['instance'] !== path.split('?')[0]?.slice(0, 1_024)) fail('with another instance');
  if (status === 422 && !Array.isArray(problem['errors'])) fail('without errors');
};
