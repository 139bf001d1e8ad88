import { describe, expect, it } from '@jest/globals';
import { gptTokenizer } from './gpt-tokenizer.js';

const tokenizer = gptTokenizer();
const { signal } = new AbortController();
const count = (text: string): Promise<number> => tokenizer.count(text, signal);

/** Proves contract 41.5. */
describe('the tokenizer', () => {
  it('does not load its table in the thread that calls it', async () => {
    const cpuTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
      const { user, system } = process.threadCpuUsage();
      await work();
      const { user: userAfter, system: systemAfter } = process.threadCpuUsage();
      return userAfter + systemAfter - user - system;
    };
    const first = await cpuTimeOf(() => count('hello'));
    const loading = await cpuTimeOf(() => import('gpt-tokenizer/encoding/cl100k_base'));
    expect(first).toBeLessThan(loading / 2);
  });

  it.each([
    ['', 0],
    ['hello world', 2],
    ['tiktoken is great!', 6],
    ['お誕生日おめでとう', 9],
    ['🐕', 3],
  ])('counts the tokens of %j with cl100k_base', async (text, tokens) => expect(await count(text)).toBe(tokens));

  it('treats the name of a special token as text', async () => expect(await count('<|endoftext|>')).toBe(7));

  it('returns the same count for a long text as the gpt-tokenizer package', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
    for (const gap of ['\n\n', '\t', ' ', '  ', '\r\n ']) {
      const text = `Luna is a calm dog, 18 months old.${gap}She knows "sit"${gap}and stay: $250.00!${gap}`.repeat(500);
      expect(await count(text)).toBe(countTokens(text));
    }
  });

  it('cuts a text after a number of tokens', async () => {
    expect(await tokenizer.cut('tiktoken is great!', 4, signal)).toEqual({ text: 'tiktoken is', tokens: 4, isCut: true });
    expect(await tokenizer.cut('tiktoken is great!', 6, signal)).toEqual({ text: 'tiktoken is great!', tokens: 6, isCut: false });
  });

  it('never cuts within a character', async () => {
    for (const most of [1, 2]) expect(await tokenizer.cut('🦮 dog', most, signal)).toMatchObject({ text: '', isCut: true });
    expect(await tokenizer.cut('🦮 dog', 3, signal)).toEqual({ text: '🦮', tokens: 3, isCut: true });
  });

  it('cuts even a text of 95,000 characters exactly at the limit', async () => {
    const text = 'one two three four '.repeat(5_000);
    expect(await tokenizer.cut(text, 4_096, signal)).toMatchObject({ tokens: 4_096, isCut: true });
  });

  it.each([
    ['words', 'calm dog '.repeat(116_508)],
    ['one word', 'a'.repeat(1_048_576)],
    ['rare characters', '\u9f98\u9750'.repeat(16_000)],
    ['spaces', ' '.repeat(1_048_576)],
    [
      'distinct letters of three bytes',
      Array.from({ length: 20_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join(''),
    ],
  ])('lets other work go on after every few thousand characters of %s', async (_, text) => {
    await count('loaded');
    let turns = 0;
    let immediate = setImmediate(function next() {
      turns++;
      immediate = setImmediate(next);
    });
    try {
      expect(await count(text)).toBeGreaterThan(1_000);
    } finally {
      clearImmediate(immediate);
    }
    expect(turns).toBeGreaterThan(Math.floor(text.length / 8_192));
  });

  it('stops when the signal aborts', async () => {
    const stopping = new AbortController();
    const counting = tokenizer.count('calm dog '.repeat(100_000), stopping.signal);
    stopping.abort();
    await expect(counting).rejects.toThrow();
  });
});
