import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openOtlpTracing } from '../../libs/adapters/tracing/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { openCollector, type Collector } from '../servers/collector.js';
import { silentLog } from '../silent-log.js';

const START = { name: 'work', kind: 'internal' } as const;
const PARENT = { traceId: '000000000000000000000000000000aa', spanId: '00000000000000bb' };
const TRACEPARENT = `00-${PARENT.traceId}-${PARENT.spanId}-01`;

/** Texts that are not a traceparent, or whose span is not recorded. */
const INVALID = [
  '',
  'traceparent',
  TRACEPARENT.slice(1),
  `${TRACEPARENT}-00`,
  `${TRACEPARENT}, ${TRACEPARENT}`,
  TRACEPARENT.replace('00-', '01-'),
  TRACEPARENT.replace('aa', 'AA'),
  TRACEPARENT.replace(PARENT.traceId, '0'.repeat(32)),
  TRACEPARENT.replace(PARENT.spanId, '0'.repeat(16)),
  `00-${PARENT.traceId}-${PARENT.spanId}-\u0000`,
  'x'.repeat(100_000),
];

let collector: Collector;
beforeAll(async () => void (collector = await openCollector()));
afterEach(() => void collector.receiver.received.splice(0));
afterAll(() => collector.receiver.close());

const open = async (sampler: Parameters<typeof openOtlpTracing>[0]['sampler'] = 'parentbased_always_on', ratio = 1) => {
  const clock = manualClock();
  const queue = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 60_000, exportTimeoutMillis: 5_000 };
  const options = { protocol: 'http/json', sampler, ratio, queue, version: '1', clock, log: silentLog } as const;
  return { clock, tracing: await openOtlpTracing({ ...options, url: `${collector.receiver.url}/v1/traces` }) };
};

/** Proves contract 25.8. */
describe('the traces that are sent by OTLP', () => {
  it('have spans with their parents, attributes and outcome', async () => {
    const { tracing } = await open();
    const request = tracing.startTrace(() => ({ name: 'GET /v1/pets', kind: 'server', attributes: { 'http.route': '/v1/pets' } }));
    const below = tracing.startSpan(request?.traceparent ?? '', START);
    below?.end({ failed: true, attributes: { 'petstore.outcome': 'failed' } });
    request?.end();
    await tracing.close();
    const spans = collector.spans();
    const [child, root] = spans;
    expect(spans.map(({ name }) => name)).toEqual(['work', 'GET /v1/pets']);
    expect(child).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId, kind: 1, status: { code: 2 } });
    expect(child?.status.message ?? '').toBe('');
    expect(child?.attributes).toEqual([{ key: 'petstore.outcome', value: { stringValue: 'failed' } }]);
    expect(root).toMatchObject({ kind: 2, attributes: [{ key: 'http.route', value: { stringValue: '/v1/pets' } }] });
    expect([request, below].map((span) => span?.traceparent)).toEqual(
      [root, child].map((span) => `00-${span?.traceId}-${span?.spanId}-01`),
    );
  });

  it('continue a trace of another process', async () => {
    const { tracing } = await open();
    tracing.startSpan(TRACEPARENT, START)?.end();
    await tracing.close();
    expect(collector.spans()).toMatchObject([{ traceId: PARENT.traceId, parentSpanId: PARENT.spanId }]);
  });

  it('only link to the traceparent of a caller', async () => {
    const { tracing } = await open();
    tracing.startTrace(() => ({ ...START, linked: TRACEPARENT }))?.end();
    await tracing.close();
    const [span] = collector.spans();
    expect(span?.links).toMatchObject([PARENT]);
    expect(span?.traceId).not.toBe(PARENT.traceId);
    expect(span?.parentSpanId ?? '').toBe('');
  });

  it('are recorded even if the caller does not record its own trace', async () => {
    const { tracing } = await open();
    expect(tracing.startTrace(() => ({ ...START, linked: TRACEPARENT.replace(/1$/, '0') }))).not.toBeNull();
    await tracing.close();
  });

  it.each(INVALID.map((text) => ({ text, shown: JSON.stringify(text.slice(0, 60)) })))(
    'ignore the traceparent $shown',
    async ({ text }) => {
      const { tracing } = await open();
      expect(tracing.startSpan(text, START)).toBeNull();
      tracing.startTrace(() => ({ ...START, linked: text }))?.end();
      await tracing.close();
      expect(collector.spans().map(({ links }) => links)).toEqual([[]]);
    },
  );

  it.each([
    ['always_on', 1, true, true],
    ['always_off', 1, false, false],
    ['traceidratio', 1, true, true],
    ['traceidratio', 0, false, true],
    ['parentbased_always_on', 0, true, true],
    ['parentbased_always_off', 1, false, true],
    ['parentbased_traceidratio', 1, true, true],
    ['parentbased_traceidratio', 0, false, true],
  ] as const)('with sampler %s and share %s include new traces: %s, continued traces: %s', async (sampler, ratio, ofNew, ofOthers) => {
    const { tracing } = await open(sampler, ratio);
    expect(tracing.startTrace(() => START) !== null).toBe(ofNew);
    expect(tracing.startSpan(TRACEPARENT, START) !== null).toBe(ofOthers);
    await tracing.close();
  });

  it('cover about the configured share of the requests', async () => {
    const { tracing, clock } = await open('parentbased_traceidratio', 0.1);
    let started = 0;
    for (let second = 0; second < 100; second++) {
      for (let request = 0; request < 100; request++) if (tracing.startTrace(() => START)) started++;
      clock.advance(1_000);
    }
    // About 1,000 traces start. The chance of a number outside these limits is below one in a trillion.
    expect(started).toBeGreaterThan(750);
    expect(started).toBeLessThan(1_250);
    await tracing.close();
  });

  it('are at most 200 in a second, each with all its spans', async () => {
    const { tracing, clock } = await open();
    const started = Array.from({ length: 250 }, () => tracing.startTrace(() => START));
    expect(started.filter((span) => span !== null)).toHaveLength(200);
    expect(tracing.startSpan(started[0]?.traceparent ?? '', START)).not.toBeNull();
    clock.advance(1_000);
    expect(tracing.startTrace(() => START)).not.toBeNull();
    await tracing.close();
  });
});
