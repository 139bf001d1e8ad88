import { describe, expect, it } from '@jest/globals';
import { recordSpans } from '../testing/recorded-spans.js';
import { continueTrace, inSpan, parentOfMessage } from './tracing.port.js';

const PARENT = '00-000000000000000000000000000000aa-00000000000000bb-01';
const OF_SAME_TRACE = '00-000000000000000000000000000000aa-00000000000000cc-01';
const OF_OTHER_TRACE = '00-000000000000000000000000000000dd-00000000000000cc-01';
const START = { name: 'work', kind: 'internal' } as const;

/** Proves contract 25.8. */
describe('work in a span', () => {
  it('gets the traceparent of its span, which ends with the work', async () => {
    const tracing = recordSpans();
    const result = await inSpan(
      tracing,
      PARENT,
      START,
      async (own) => own,
      (own) => ({ attributes: { length: own?.length ?? 0 } }),
    );
    expect(tracing.spans).toEqual([{ ...START, parent: PARENT, traceparent: result, end: { attributes: { length: 55 } } }]);
    expect(result).not.toBe(PARENT);
  });

  it('that throws ends its span as failed, without the error message, and throws the same error', async () => {
    const tracing = recordSpans();
    const failing = inSpan(tracing, PARENT, START, () => Promise.reject(new Error('card 4242')));
    await expect(failing).rejects.toThrow('card 4242');
    expect(tracing.spans).toMatchObject([{ end: { failed: true } }]);
    expect(JSON.stringify(tracing.spans)).not.toContain('4242');
  });

  it('has no span without a parent, or without tracing', async () => {
    const tracing = recordSpans();
    expect(await inSpan(tracing, undefined, START, async (own) => own)).toBeUndefined();
    expect(await inSpan(undefined, PARENT, START, async (own) => own)).toBe(PARENT);
    expect(tracing.spans).toEqual([]);
  });
});

describe('the context of work', () => {
  it('has the traceparent only if there is one', () => {
    expect(continueTrace({ tenant: 'shared' }, PARENT)).toEqual({ tenant: 'shared', traceparent: PARENT });
    expect(continueTrace({ tenant: 'shared' }, undefined)).toEqual({ tenant: 'shared' });
  });
});

describe('the parent of the handling of a message', () => {
  it.each([
    ['is the span that published it', OF_SAME_TRACE, PARENT, OF_SAME_TRACE],
    ['is the span of the event if the message names another trace', OF_OTHER_TRACE, PARENT, PARENT],
    ['is the span of the event if the message names no trace', undefined, PARENT, PARENT],
    ['does not exist if the event has no span', OF_OTHER_TRACE, undefined, undefined],
  ])('%s', (_, ofMessage, ofEvent, expected) => expect(parentOfMessage(ofMessage, ofEvent)).toBe(expected));
});
