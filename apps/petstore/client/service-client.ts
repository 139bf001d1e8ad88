import { clock } from '../composition/clock.js';
import { ageOf, momentOf, type Moment } from '../../../libs/eventsourcing/scheduling/moment.js';
import type { IncomingMessage } from 'node:http';
import { isLoopbackUrl } from '../../../libs/settings/address-values.js';
import { DEFAULT_URL, type Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { findServiceUrl } from '../running/find-service-url.js';
import { readFolderOwner } from '../composition/embedded/folder.js';
import { programOn } from '../terminal/installation.js';
import { parseAddress } from './address.js';
import { abortAfter, readText, sendRequest, type CommandRequest, type Route } from './send-request.js';
import { makeToken } from '../commands/token.command.js';

/** The service that a command calls, and the credentials for it. Without `url`: the service that runs on DATA_DIR. */
export type ServiceOptions = { readonly url?: string; readonly token?: string; readonly tenant?: string };

/** The subject and scope of the token that a command creates. */
type Caller = { readonly subject: string; readonly scope: string };

export type HttpResponse<T> = { readonly status: number; readonly json: T };

/** A client of the HTTP interface of a running service. */
export type ServiceClient = {
  readonly url: string;
  /**
   * Sends `body` as JSON, or as a form. Rejects with ErrorResponse on an error status, and with ServiceUnreachable when there is
   * no response.
   */
  request<T = unknown>(method: string, path: string, body?: unknown): Promise<HttpResponse<T>>;
};

type ProblemBody = {
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string; readonly code: string }[];
};

/** Thrown when no service responds at an address. */
class ServiceUnreachable extends CommandError {}

/** Thrown when the response of the service has an error status. */
export class ErrorResponse extends CommandError {
  constructor(
    readonly operation: string,
    readonly status: number,
    readonly problem: ProblemBody,
  ) {
    const { detail = 'no reason given', errors = [] } = problem;
    const fields = errors.length > 1 ? errors.map(({ field, message }) => `\n  ${field}: ${message}`).join('') : '';
    const remedy =
      status === 401 || status === 403 ? '\nUse --token or PETSTORE_TOKEN to pass a token of this service with the required scope.' : '';
    super(`${operation} was rejected with ${status}: ${detail}${fields}${remedy}`);
  }
}

/** Returns whether a request may succeed later, because the service is starting or overloaded. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof ServiceUnreachable || (error instanceof ErrorResponse && (error.status === 429 || error.status >= 500));

/** Returns a client of the service at `--url`, or of the service that runs on DATA_DIR. */
export const connectClient = async (settings: Settings, options: ServiceOptions, caller: Caller): Promise<ServiceClient> => {
  const url = options.url === undefined ? await findServiceUrl(settings) : parseAddress('--url', options.url, DEFAULT_URL);
  if (url === null)
    throw new CommandError(
      `no service is running on ${settings.dataDir}: start it with "${programOn(settings)} start", or pass the address of a running service, for example --url ${DEFAULT_URL}`,
    );
  if (options.token !== undefined) requireTokenCharacters(options.token);
  else if (!(await hasMatchingKeys(settings, url)))
    throw new CommandError(
      `--token is missing: the service at ${url} does not run on ${settings.dataDir}, so the keys in that folder cannot sign its tokens; pass a token of the service with --token or PETSTORE_TOKEN`,
    );
  const token = tokenSource(settings, options, caller);
  // A service that runs on DATA_DIR is on this machine, at whatever address it listens.
  const route = options.url === undefined || isLoopbackUrl(url) ? 'directly' : 'as the environment says';
  /** The consistency token of the last write. Later requests send it, so that reads in other processes show the write too. */
  let consistencyToken: string | null = null;
  return {
    url,
    async request<T>(method: string, path: string, body?: unknown) {
      const content = body === undefined ? null : await encode(body);
      const headers = {
        ...content?.headers,
        authorization: `Bearer ${await token()}`,
        ...(options.tenant !== undefined && { 'x-tenant-id': options.tenant }),
        ...(consistencyToken !== null && { 'consistency-token': consistencyToken }),
      };
      const response = await send(url, route, path, { ...content, method, headers });
      const { 'consistency-token': written } = response.headers;
      if (typeof written === 'string') consistencyToken = written;
      const json = await readJson(url, response);
      const { statusCode: status = 0 } = response;
      if (status < 200 || status >= 300) throw new ErrorResponse(`${method} ${path}`, status, json ?? {});
      return { status, json: json as T };
    },
  };
};

/** Throws if a token contains characters that a header may not contain. */
const requireTokenCharacters = (token: string): void => {
  if (!/^[\x20-\x7e]+$/.test(token))
    throw new CommandError('--token (or PETSTORE_TOKEN) is not a token: it is empty, or contains a line break or a letter outside ASCII');
};

/**
 * Returns whether this command can read the keys of the service at this address. In the embedded profile, the service must run
 * on DATA_DIR. In the distributed profile, returns true, because the command reads the keys from the shared database.
 */
const hasMatchingKeys = async ({ dataDir, servers }: Settings, url: string): Promise<boolean> => {
  if (servers) return true;
  const own = (await readFolderOwner(dataDir))?.url;
  return own !== undefined && new URL(own).origin === new URL(url).origin;
};

const TOKEN_SECONDS = 3600;
/** The age after which a command replaces its token. A command may run for days, and each token is valid for one hour. */
const TOKEN_RENEWAL_MILLISECONDS = (TOKEN_SECONDS / 2) * 1000;

/** Encodes a body with its content type: a form as the multipart form that a browser sends, anything else as JSON. */
const encode = async (body: unknown): Promise<Required<Pick<CommandRequest, 'body' | 'headers'>>> => {
  if (!(body instanceof FormData)) return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const encoded = new Response(body);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  return { body: bytes, headers: { 'content-type': encoded.headers.get('content-type') ?? '' } };
};

const tokenSource = (settings: Settings, { token: explicitToken }: ServiceOptions, caller: Caller): (() => Promise<string>) => {
  if (explicitToken !== undefined) return async () => explicitToken;
  let made: { readonly token: string; readonly at: Moment } | undefined;
  return async () => {
    if (!made || ageOf(made.at, clock) > TOKEN_RENEWAL_MILLISECONDS) {
      made = { token: await makeToken(settings, { ...caller, expiresIn: TOKEN_SECONDS }), at: momentOf(clock) };
    }
    return made.token;
  };
};

/** Milliseconds after which a service counts as unreachable. */
const RESPONSE_TIMEOUT = 15_000;

const send = async (url: string, route: Route, path: string, request: Omit<CommandRequest, 'signal'>): Promise<IncomingMessage> => {
  const signal = abortAfter(clock, RESPONSE_TIMEOUT);
  try {
    return await sendRequest(new URL(`${url.replace(/\/+$/, '')}${path}`), route, { ...request, signal });
  } catch (error) {
    throw unreachable(url, signal.aborted ? `no response within ${RESPONSE_TIMEOUT / 1000} s` : readReason(error), error);
  }
};

/** Every response of the service has this header. Responses of proxies and other servers do not. */
const SERVICE_HEADER = 'x-request-id';

const readJson = async (url: string, response: IncomingMessage): Promise<unknown> => {
  if (response.headers[SERVICE_HEADER] === undefined) {
    response.destroy();
    throw unreachable(url, `the server there is not a petstore, and returned ${response.statusCode}`);
  }
  try {
    const text = await readText(response);
    return text === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw unreachable(url, readReason(error), error);
  }
};

/** Returns the system's error code, such as ECONNREFUSED, or the message. */
const readReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
};

const unreachable = (url: string, reason: string, cause?: unknown): ServiceUnreachable =>
  new ServiceUnreachable(
    `no service answers at ${url} (${reason}): start the service, or pass the address of a running service with --url`,
    {
      cause,
    },
  );
