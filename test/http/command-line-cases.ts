import type { OutputTarget } from '../servers/program.js';

/** A command that fails. */
export type Case = {
  readonly name: string;
  readonly args: readonly string[];
  /** A pattern that the error message matches. */
  readonly says: RegExp;
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdout?: OutputTarget;
  /** The exit code. Default: 2, which means that the command was rejected. */
  readonly code?: number;
  /** Checks the state afterwards. */
  readonly after?: () => void;
};

/** Addresses at which no server runs. */
export const SERVERS = {
  EVENTSTOREDB_URL: 'esdb://127.0.0.1:9?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:9/petstore?replicaSet=rs0&serverSelectionTimeoutMS=300',
  KAFKA_BROKERS: '127.0.0.1:9',
};

export const TOKEN = ['token', '--scope', 'write:pets'];
const LISTEN = ['listen', '--forward-to', 'http://127.0.0.1:4000/hook'];
const REPLAY = ['replay', '--since', '15m', '--to', 'http://127.0.0.1:4000/hook'];

/** Arguments that are rejected before anything is opened. */
export const REJECTED_ARGUMENTS: readonly Case[] = [
  { name: 'no command', args: [], says: /Usage/ },
  { name: 'an unknown command', args: ['fly'], says: /unknown command 'fly'/ },
  { name: 'an unknown option', args: ['start', '--fly'], says: /unknown option '--fly'/ },
  { name: 'an option before the command', args: ['--fly', 'start'], says: /unknown option '--fly'/ },
  { name: 'too many arguments', args: ['start', 'now'], says: /too many arguments/ },
  { name: 'an empty command', args: [''], says: /unknown command|Usage/ },
  { name: 'a command without its subcommand', args: ['projections'], says: /Usage/ },
  { name: 'an unknown subcommand', args: ['projections', 'fly'], says: /unknown command 'fly'/ },
  { name: 'retry of nothing', args: ['retry'], says: /pass either NAME and STREAM, or --cause, or --all/ },
  { name: 'skip of a revision that is no number', args: ['skip', 'pets', 'pet-1', 'x', '--reason', 'r'], says: /must be a whole number/ },
  { name: 'skip of a first event', args: ['skip', 'pets', 'pet-1', '0', '--reason', 'r'], says: /cannot be skipped/ },
  {
    name: 'stuck for a length of time without a unit',
    args: ['stuck', '--older-than', '30'],
    says: /--older-than must be .*30s, 5m or 2h/,
  },
  { name: 'retry without a stream', args: ['retry', 'pets'], says: /pass the stream, too/ },
  { name: 'backup without a folder', args: ['backup'], says: /missing required argument/ },
  { name: 'restore without a folder', args: ['restore'], says: /missing required argument/ },
  { name: 'trigger without an event', args: ['trigger'], says: /missing required argument/ },
  {
    name: 'trigger of an unknown event',
    args: ['trigger', 'pet.flown', '--url', 'http://127.0.0.1:9', '--token', 'x'],
    says: /pet\.flown/,
  },
  { name: 'a token without a scope', args: ['token'], says: /--scope/ },
  { name: 'a scope without a value', args: ['token', '--scope'], says: /argument missing/ },
  { name: 'an empty scope', args: ['token', '--scope', ''], says: /--scope is empty/ },
  { name: 'an unknown scope', args: ['token', '--scope', 'fly:pets'], says: /fly:pets/ },
  { name: 'an empty subject', args: [...TOKEN, '--subject', ''], says: /--subject is empty/ },
  { name: 'a blank subject', args: [...TOKEN, '--subject', '  '], says: /--subject is empty/ },
  { name: 'the subject of callers without a token', args: [...TOKEN, '--subject', 'anonymous'], says: /--subject anonymous/ },
  { name: 'the subject Anonymous in another case', args: [...TOKEN, '--subject', 'Anonymous'], says: /--subject Anonymous/ },
  { name: 'a subject of two lines', args: [...TOKEN, '--subject', 'ann\nbob'], says: /--subject must be one line/ },
  { name: 'a subject that is too long', args: [...TOKEN, '--subject', 'x'.repeat(256)], says: /at most 255 characters/ },
  { name: 'a lifetime that is too long', args: [...TOKEN, `--expires-in=${Number.MAX_SAFE_INTEGER}`], says: /--expires-in .*most/ },
  { name: 'a tenant that is no UUID', args: [...TOKEN, '--tenant', 'me'], says: /--tenant: me is not a UUID/ },
  { name: 'an empty tenant', args: [...TOKEN, '--tenant', ''], says: /--tenant/ },
  ...['0', '-1', '1.5', '0h', '1.5h', '1y', 'soon', 'NaN', 'Infinity', '99999999999999999999', ''].map((value) => ({
    name: `a lifetime of ${value || 'no'} seconds`,
    args: [...TOKEN, `--expires-in=${value}`],
    says: /--expires-in/,
  })),
  ...['0', '-5', '1.5', 'many', '1e400'].map((value) => ({ name: `${value} pets`, args: ['seed', `--pets=${value}`], says: /--pets/ })),
  ...['-1', 'x', '0.5'].map((value) => ({ name: `the seed ${value}`, args: ['seed', `--seed=${value}`], says: /--seed/ })),
  ...['foo', 'ftp://a', 'http://', 'http://127.0.0.1:9', '//a', 'javascript:x'].map((url) => ({
    name: `the service URL ${url}`,
    args: ['seed', '--pets', '1', '--url', url, '--token', 'x'],
    says: /--url|no service answers/,
  })),
  ...['', 'localhost:4000', '/hook', 'ftp://a/hook', 'http://'].map((url) => ({
    name: `listen with the target ${url || '(empty)'}`,
    args: ['listen', '--forward-to', url],
    says: /--forward-to/,
  })),
  { name: 'listen without an event', args: [...LISTEN, '--events', ''], says: /--events/ },
  { name: 'listen for an unknown event', args: [...LISTEN, '--events', 'pet.flown'], says: /pet\.flown/ },
  { name: 'listen without a running service', args: LISTEN, says: /no service is running/ },
  ...['', 'yesterday', '15', '-15m', '2026-13-45T00:00:00Z', '9999999d'].map((since) => ({
    name: `a replay since ${since || '(empty)'}`,
    args: ['replay', '--since', since, '--to', 'http://127.0.0.1:4000/hook'],
    says: /--since|no service is running/,
  })),
  { name: 'a replay that ends before it begins', args: [...REPLAY, '--until', '1h'], says: /--until|--since|no service is running/ },
  { name: 'a replay with an invalid --wait', args: [...REPLAY, '--wait', 'never'], says: /--wait/ },
  { name: 'a copy to an unknown profile', args: ['copy', '--to', 'moon'], says: /--to moon/ },
  { name: 'a copy without servers', args: ['copy', '--to', 'distributed'], says: /EVENTSTOREDB_URL/ },
  { name: 'an unknown role', args: ['worker', '--roles', 'fly'], env: SERVERS, says: /--roles: unknown role "fly"/ },
  { name: 'no role', args: ['worker', '--roles', ''], env: SERVERS, says: /--roles/ },
  { name: 'an api without servers', args: ['api'], says: /EVENTSTOREDB_URL/ },
  { name: 'start with servers', args: ['start'], env: SERVERS, says: /"api" and "worker"/ },
];
