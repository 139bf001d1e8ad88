import { describe, expect, it } from '@jest/globals';
import { QueryCache } from './query-cache.js';
import { DocumentCache } from './document-cache.js';
import { openDatabase, IN_MEMORY } from '../folder/database.js';

describe('cached answers', () => {
  const asked = (answers: QueryCache, question: string, answer: readonly string[]): boolean => {
    let worked = false;
    answers.of('pets', { tenant: 'shared' }, question, () => {
      worked = true;
      return answer;
    });
    return worked;
  };

  it('are computed once until a write', () => {
    const answers = new QueryCache();
    expect([asked(answers, 'a', ['x']), asked(answers, 'a', ['x'])]).toEqual([true, false]);
    answers.invalidateTenant('pets', 'shared');
    expect(asked(answers, 'a', ['x'])).toBe(true);
  });

  it('are not cached when they are very long', () => {
    const answers = new QueryCache();
    const long = ['x'.repeat(300_000)];
    expect([asked(answers, 'a', long), asked(answers, 'a', long)]).toEqual([true, true]);
  });

  it('are all evicted when they would exceed a budget', () => {
    const answers = new QueryCache();
    const page = ['x'.repeat(200_000)];
    for (let question = 0; question < 100; question++) asked(answers, String(question), page);
    expect(asked(answers, '99', page)).toBe(false);
    expect(asked(answers, '0', page)).toBe(true);
  });
});

describe('cached documents', () => {
  const BUDGET = 16_000_000;
  const document = (key: string, size: number) => ({ key, json: 'x'.repeat(size), fields: {}, revision: 0 });

  it('are evicted, the least recently used first, when they would exceed a budget', () => {
    const recent = new DocumentCache(openDatabase(IN_MEMORY, 'unused'), BUDGET);
    for (let key = 0; key < 100; key++) {
      recent.add('pets', document(String(key), 200_000));
      recent.get('pets', '0');
    }
    expect(recent.get('pets', '99')).toBeDefined();
    expect(recent.get('pets', '0')).toBeDefined();
    expect(recent.get('pets', '1')).toBeUndefined();
  });

  it('no longer count towards the budget after they are deleted', () => {
    const recent = new DocumentCache(openDatabase(IN_MEMORY, 'unused'), BUDGET);
    recent.add('pets', document('kept', 10_000_000));
    for (let time = 0; time < 10; time++) {
      recent.add('pets', document('passing', 5_000_000));
      recent.remove('pets', 'passing');
    }
    expect(recent.get('pets', 'kept')).toBeDefined();
  });
});
