import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { SearchTurns } from './search-turns.js';

const LIMITS = { searchesAtOnce: 2, waitingSearches: 6, waitingSearchesOfCaller: 4 };

/** Runs a search in its turn. */
const run = async <Result>(turns: SearchTurns, caller: string, search: () => Promise<Result>): Promise<Result> => {
  const turn = turns.take(caller);
  if (turn) await turn;
  try {
    return await search();
  } finally {
    turns.passOn();
  }
};

/** Starts searches that end when `end` is called, and records the order in which they start. */
const scene = () => {
  const turns = new SearchTurns(LIMITS);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const search = (caller: string, name: string): Promise<void> =>
    run(turns, caller, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, search, end };
};

describe('searches', () => {
  it('run in turn by caller, in the order of each caller', async () => {
    const { started, search, end } = scene();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void search('ann', name);
    void search('bert', 'b1');
    void search('cleo', 'c1');
    expect(started).toEqual(['a1', 'a2']);
    for (let round = 0; round < 5; round++) await end();
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5']);
  });

  it('are rejected with 503 if too many wait, of one caller or of all, and run again later', async () => {
    const { started, search, end } = scene();
    const rejection = expect.objectContaining({ kind: 'temporarily-unavailable' }) as unknown;
    for (let number = 1; number <= 6; number++) void search('ann', `a${number}`);
    await expect(search('ann', 'a7')).rejects.toEqual(rejection);
    for (const name of ['b1', 'b2']) void search('bert', name);
    await expect(search('cleo', 'c1')).rejects.toThrow(Problem);
    await end();
    void search('cleo', 'c2');
    for (let round = 0; round < 8; round++) await end();
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'c2', 'b2', 'a5', 'a6']);
  });

  it('pass their turn on when they fail', async () => {
    const turns = new SearchTurns({ ...LIMITS, searchesAtOnce: 1 });
    const failing = run(turns, 'ann', () => Promise.reject(new Error('no')));
    const next = run(turns, 'bert', async () => 'found');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('found');
  });

  it('that are answered while they wait leave their turn to the next', async () => {
    const turns = new SearchTurns({ ...LIMITS, searchesAtOnce: 1 });
    const begun: string[] = [];
    const begin = (name: string, reply: { readonly sent: boolean }): FastifyRequest => {
      const request = { ip: '203.0.113.1', call: { caller: null }, hasTurn: false } as unknown as FastifyRequest;
      turns.begin(request, reply as FastifyReply, () => void begun.push(name));
      return request;
    };
    const first = begin('first', { sent: false });
    begin('answered by the deadline', { sent: true });
    const third = begin('third', { sent: false });
    turns.end(first);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['first', 'third']);
    turns.end(third);
    expect(turns.take('another')).toBeNull();
  });
});
