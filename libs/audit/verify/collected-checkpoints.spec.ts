import { describe, expect, it } from '@jest/globals';
import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { collectedIn } from './collected-checkpoints.js';

const signed = (index: number): SignedCheckpoint => ({
  checkpoint: {
    version: 'petstore-checkpoint/1',
    store: '019c46fe-6106-7000-b229-56757be79fd2',
    index,
    size: index + 1,
    root: 'root',
    time: '2026-03-01T00:00:00.000Z',
    previous: '',
    tenants: [],
    keyId: 'key',
  },
  signature: 'signature',
});

const one = JSON.stringify(signed(0));
const two = JSON.stringify(signed(1));
const both = { checkpoints: [signed(0), signed(1)], lines: 2, unreadable: [] };

describe('checkpoints that were collected elsewhere', () => {
  it.each([
    ['the output of the command', `${one}\n${two}\n`],
    ['lines of a file of another system', `${one}\r\n${two}\r\n\r\n`],
    ['a page of the API', JSON.stringify({ data: [signed(0), signed(1)], pagination: { total: 2 } })],
    ['a page of the API for people', JSON.stringify({ data: [signed(0), signed(1)] }, null, 2)],
    ['a list', JSON.stringify([signed(0), signed(1)])],
    ['pages of the API on lines', `${JSON.stringify({ data: [signed(0)] })}\n${JSON.stringify({ data: [signed(1)] })}\n`],
    [
      'messages in structured mode',
      `${JSON.stringify({ type: 't', data: signed(0) })}\n${JSON.stringify({ type: 't', data: signed(1) })}\n`,
    ],
    [
      'log lines with the prefix of Compose',
      `worker-1  | ${JSON.stringify({ level: 30, ...signed(0), msg: 'checkpoint' })}\n\u001B[36mworker-1  |\u001B[0m ${JSON.stringify({ level: 30, ...signed(1) })}\n`,
    ],
    ['log lines of Kubernetes', `2026-03-01T00:00:00Z stdout F ${one}\n2026-03-02T00:00:00Z stdout F ${two}`],
  ])('are read from %s', (_, text) => {
    expect(collectedIn(text)).toEqual(both);
  });

  it.each([
    ['whose end was cut', two.slice(0, 60)],
    ['whose beginning was cut', two.slice(200)],
    ['with a renamed member', two.replace('"checkpoint":', '"checkpont":')],
    ['without a signature', two.replace('"signature":', '"signatur":')],
    ['with a text for a number', two.replace('"size":2', '"size":"2"')],
  ])('say which line cannot be read: one %s', (_, line) => {
    expect(collectedIn(`${one}\n${line}\n`)).toEqual({ checkpoints: [signed(0)], lines: 2, unreadable: [2] });
  });

  it('count other lines, and skip them', () => {
    const other = JSON.stringify({ msg: 'request', url: '/v1/audit/checkpoints', kind: 'checkpoint' });
    expect(collectedIn(`starting\n${other}\n\n${one}\n{"count":{"version":"petstore-count/1"},"signature":"s"}`)).toEqual({
      checkpoints: [signed(0)],
      lines: 4,
      unreadable: [],
    });
  });
});
