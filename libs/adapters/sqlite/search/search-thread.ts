import type { SQLInputValue } from 'node:sqlite';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Collection, DocumentQuery, Facets, Where } from '../../../eventsourcing/ports/documents.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { sqlOf, tableNameOf } from '../documents/declared-sql.js';
import type { Row } from '../documents/row-checksum.js';
import { existingFile } from '../folder/database.js';
import type { IndexDescription, Question, SearchThreadData, ThreadMessage, ThreadReport } from './search-messages.js';

/** The thread only reads, and never waits for a lock. */
const PRAGMAS = 'PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384';

/**
 * Imports the program in the thread. In tests, Node reads TypeScript without the types, and a hook resolves the imports of `.js` to
 * `.ts`.
 */
const IMPORT_PROGRAM = `
const { registerHooks } = require('node:module');
const { program } = require('node:worker_threads').workerData;
const resolve = (name, context, next) => next(name.startsWith('.') ? name.replace(/\\.js$/, '.ts') : name, context);
if (program.endsWith('.ts')) registerHooks({ resolve });
void import(program);`;

/** The program is a compiled file in the service, and a file of TypeScript in tests, like this one. */
const PROGRAM = new URL(`./search-thread-program${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url).href;

/** A collection with an index in memory. */
export type IndexedCollection = Collection & { readonly facets: Facets };

export const isIndexed = (collection: Collection): collection is IndexedCollection => collection.facets !== undefined;

type Request = { readonly question: Question; readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };
type Running = { readonly worker: Worker; readonly port: MessagePort; readonly ended: Promise<void> };

/**
 * Answers searches and counts in a thread with its own connection, so that an expensive one does not hold up other requests. The
 * thread makes the index of a collection when it is first searched, and reads changed documents again. It starts at the first
 * search. A thread that has died is replaced at the next one.
 */
export class SearchThread {
  private running: Running | null = null;
  private readonly requests = new Map<number, Request>();
  private lastId = 0;
  private isClosed = false;
  /** The tables without a usable index, of which the log already has a line. */
  private readonly unusable = new Set<string>();

  /** `path` is the path of the store's file. */
  constructor(
    private readonly path: string,
    private readonly log: Log,
  ) {}

  /** Counts the documents of a collection. Resolves with null if a damaged row makes the index unusable. */
  async count(collection: IndexedCollection, where: Where): Promise<number | null> {
    return (await this.ask({ kind: 'count', described: describe(collection), where })) as number | null;
  }

  /** Returns the keys of a page. Resolves with null if a damaged row makes the index unusable. */
  async keys(collection: IndexedCollection, query: DocumentQuery): Promise<readonly string[] | null> {
    return (await this.ask({ kind: 'keys', described: describe(collection), query })) as readonly string[] | null;
  }

  /** Returns the rows of a SELECT. */
  async rows(sql: string, values: readonly SQLInputValue[]): Promise<readonly Row[]> {
    return (await this.ask({ kind: 'rows', sql, values })) as readonly Row[];
  }

  /** Call this after a commit that changed documents, before any search that must see them. */
  onChanged(collection: IndexedCollection, keys: readonly string[]): void {
    this.send({ kind: 'changed', described: describe(collection), keys });
  }

  /** Call this after a commit that replaced or dropped all documents of a table. */
  onReplaced(table: string): void {
    this.send({ kind: 'replaced', table });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { running } = this;
    if (!running) return;
    running.worker.ref();
    this.send({ kind: 'stop' });
    await running.ended;
  }

  private ask(question: Question): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new StoreUnavailable('the store is closed'));
    const { port } = (this.running ??= this.start());
    return new Promise((resolve, reject) => {
      const id = ++this.lastId;
      this.requests.set(id, { question, resolve, reject });
      port.ref();
      this.send({ id, ...question });
    });
  }

  private send(message: ThreadMessage): void {
    this.running?.port.postMessage(message);
  }

  private start(): Running {
    const { port1: port, port2 } = new MessageChannel();
    const data: SearchThreadData = { file: existingFile(this.path), pragmas: PRAGMAS, port: port2 };
    const workerData = { program: PROGRAM, ...data };
    const worker = new Worker(IMPORT_PROGRAM, { eval: true, workerData, transferList: [port2], execArgv: ['--no-warnings'] });
    let failure = 'it was ended';
    worker.on('error', (error: Error) => (failure = error.message));
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve(this.onExit(port, failure))));
    port.on('message', (report: ThreadReport) => this.onReport(port, report));
    port.unref();
    worker.unref();
    return { worker, port, ended };
  }

  private onReport(port: MessagePort, { id, result, failed, unusable }: ThreadReport): void {
    const request = this.requests.get(id);
    this.requests.delete(id);
    if (this.requests.size === 0) port.unref();
    if (failed !== undefined) request?.reject(new StoreUnavailable(`a search failed: ${failed}`));
    else if (unusable !== undefined) {
      if (request) this.warn(request.question, unusable);
      request?.resolve(null);
    } else request?.resolve(result);
  }

  private warn(question: Question, reason: string): void {
    if (question.kind === 'rows' || this.unusable.has(question.described.table)) return;
    const { table } = question.described;
    this.unusable.add(table);
    this.log.warn({ table, reason }, 'searches are slow, because their index could not be made; a rebuild of the projections repairs it');
  }

  private onExit(port: MessagePort, failure: string): void {
    port.close();
    this.running = null;
    for (const { reject } of this.requests.values()) reject(new StoreUnavailable(`the thread of searches has ended: ${failure}`));
    this.requests.clear();
  }
}

const describe = (collection: IndexedCollection): IndexDescription => {
  const { table, columns, fieldNames } = sqlOf(collection);
  return { table: tableNameOf(collection), facets: collection.facets, fieldNames, select: `SELECT ${columns} FROM ${table}` };
};
