import { placeOf } from './place.js';
import { authorization, endSession, session } from './session.js';
import type { Problem } from './shapes.js';
import { tenantHeader } from './tenant.js';

/** A response that is a problem, or no response at all. */
export class RequestProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** Returns a failure of a request as a problem. */
export const problemOf = (error: unknown): Problem =>
  error instanceof RequestProblem ? error.problem : { status: 0, title: 'The response could not be read', detail: String(error) };

const NO_ANSWER: Problem = {
  status: 0,
  title: 'The service does not answer',
  detail: 'The request did not reach it, or the connection was lost. The page tries again by itself.',
};

/** Returns the problem in a response that is no success. */
export const problemIn = async (response: Response): Promise<Problem> => {
  const fallback = { status: response.status, title: `The service answered ${response.status}`, detail: 'It gave no reason.' };
  try {
    return { ...fallback, ...((await response.json()) as Partial<Problem>) };
  } catch {
    return fallback;
  }
};

/** Ends the use of a token that the service has refused, unless it was replaced meanwhile: `version` is that of the request. */
export const endOf = ({ detail }: Problem, version: number): void => {
  if (session.get().version === version) endSession(`The service no longer accepts the token: ${detail}`);
};

type Options = {
  readonly signal?: AbortSignal;
  readonly tenant?: string;
  /** Sent by POST, to operations that change nothing of the store. Actions are sent by `perform`. */
  readonly body?: object;
};

/** Sends a request with the token, below the root of the service. Returns the response if it is a success. */
export const send = async (path: string, { signal, tenant, body }: Options = {}): Promise<Response> => {
  const headers = { ...authorization(), ...tenantHeader(tenant), ...(body && { 'content-type': 'application/json' }) };
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const { version } = session.get();
  let response: Response;
  try {
    response = await fetch(`${placeOf().root}${path}`, { ...sent, headers, cache: 'no-store', ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new RequestProblem(NO_ANSWER);
  }
  if (response.ok) return response;
  const problem = await problemIn(response);
  if (response.status === 401) endOf(problem, version);
  throw new RequestProblem(problem);
};

/** Reads JSON. Throws a RequestProblem. */
export const readJson = async <T>(path: string, options?: Options): Promise<T> => (await (await send(path, options)).json()) as T;

/** Returns a path with the members of a query that have a value. */
export const withQuery = (path: string, query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
};
