import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../question.js';
import { readablePart } from './conversation.js';

const user = (content: string): ChatMessage => ({ role: 'USER', content });
const contents = (messages: readonly ChatMessage[]): readonly string[] => readablePart(messages).messages.map(({ content }) => content);

describe('the part of a conversation that is read (contract 40.9)', () => {
  it('is the whole conversation if it is short', () => {
    const messages: readonly ChatMessage[] = [{ role: 'SYSTEM', content: 'a' }, user('b'), { role: 'ASSISTANT', content: 'c' }, user('d')];
    expect(contents(messages)).toEqual(['a', 'b', 'c', 'd']);
    expect(readablePart(messages).isCut).toBe(false);
  });

  it('is the whole conversation even if the operator does not write first', () => {
    const messages: readonly ChatMessage[] = [user('a'), { role: 'SYSTEM', content: 'b' }, user('c')];
    expect(contents(messages)).toEqual(['a', 'b', 'c']);
  });

  it('has the beginning and the end of a long message', () => {
    const { messages, isCut } = readablePart([user(`first${'x'.repeat(1_000_000)}last`)]);
    expect(messages[0].content).toMatch(/^first.*\n.*last$/s);
    expect(messages[0].content.length).toBeLessThan(5_000);
    expect(isCut).toBe(true);
  });

  it('has the newest messages, and the first texts of the operator', () => {
    const messages = [{ role: 'SYSTEM', content: 'operator' } as const, ...Array.from({ length: 500 }, (_, nth) => user(`message ${nth}`))];
    const read = contents(messages);
    expect(read[0]).toBe('operator');
    expect(read.at(-1)).toBe('message 499');
    expect(read.length).toBe(121);
    expect(readablePart(messages).isCut).toBe(true);
  });

  it('has at most 8,000 characters of customers', () => {
    const read = contents(Array.from({ length: 100 }, () => user('x'.repeat(1_000))));
    expect(read.join('').length).toBeLessThanOrEqual(8_000);
  });
});
