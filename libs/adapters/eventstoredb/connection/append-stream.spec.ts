import { EventEmitter } from 'node:events';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { AppendStream, type BatchAppendCall } from './append-stream.js';
import { failureOf } from './failures.js';
import { appendRequest } from './wire.js';

/** A call to which the test responds in place of a server. */
class FakeCall extends EventEmitter {
  readonly written: string[] = [];
  hasRoom = true;
  isCancelled = false;

  write(request: BatchAppendReq): boolean {
    this.written.push(request.getCorrelationId()?.getString() ?? '');
    return this.hasRoom;
  }
  cancel(): void {
    this.isCancelled = true;
    this.fail(1, 'Cancelled on client');
  }
  respond(id: string): void {
    const response = new streams.BatchAppendResp();
    response.setCorrelationId(appendRequest(id, 'pet-1', 'none', []).getCorrelationId());
    this.emit('data', response);
  }
  fail(code: number, details: string): void {
    this.emit('error', Object.assign(new Error(`${code}: ${details}`), { code, details }));
  }
}

let call: FakeCall;
let clock: ManualClock;
let failures: unknown[];
let stream: AppendStream;

beforeEach(() => {
  call = new FakeCall();
  clock = manualClock();
  failures = [];
  const onFailure = async (error: unknown): Promise<void> => void failures.push(error);
  stream = new AppendStream({ call: call as unknown as BatchAppendCall, clock, timeout: 100, onFailure });
});

const send = (id: string): Promise<BatchAppendResp> => stream.send(id, appendRequest(id, 'pet-1', 'none', []));
/** Returns `acknowledged`, or the kind of failure. */
const outcomeOf = (sending: Promise<BatchAppendResp>): Promise<string> => sending.then(() => 'acknowledged', failureOf);

describe('a call with a full buffer', () => {
  it('sends no more appends until the buffer has space', () => {
    call.hasRoom = false;
    for (const id of ['a', 'b', 'c']) void outcomeOf(send(id));
    expect(call.written).toEqual(['a']);
    call.emit('drain');
    expect(call.written).toEqual(['a', 'b']);
    call.hasRoom = true;
    call.emit('drain');
    expect(call.written).toEqual(['a', 'b', 'c']);
  });

  it('rejects unsent appends with `unreachable` when it fails', async () => {
    call.hasRoom = false;
    const outcomes = Promise.all(['a', 'b'].map((id) => outcomeOf(send(id))));
    call.fail(14, 'Connection dropped');
    expect(await outcomes).toEqual(['lost', 'unreachable']);
  });

  it('does not send an append that has timed out in the meantime', async () => {
    call.hasRoom = false;
    const outcomes = Promise.all(['a', 'b'].map((id) => outcomeOf(send(id))));
    clock.advance(100);
    expect(await outcomes).toEqual(['lost', 'unreachable']);
    call.emit('drain');
    expect(call.written).toEqual(['a']);
  });
});

describe('a call with an append that timed out', () => {
  it('accepts no further appends, and is cancelled when its other appends have their responses', async () => {
    const first = outcomeOf(send('a'));
    clock.advance(60);
    const second = outcomeOf(send('b'));
    clock.advance(40);
    expect(await first).toBe('lost');
    expect([stream.isOpen, call.isCancelled]).toEqual([false, false]);
    call.respond('a');
    expect(call.isCancelled).toBe(false);
    call.respond('b');
    expect(await second).toBe('acknowledged');
    expect([call.isCancelled, clock.waiting()]).toEqual([true, 0]);
    // The cancellation by the client is no failure, so the connection stays open.
    expect(failures).toEqual([]);
  });
});

describe('a call that fails', () => {
  it.each([
    [14, 'No connection established. Last error: connect ECONNREFUSED', 'unreachable'],
    [12, 'unknown method', 'refused'],
    [16, 'not authenticated', 'refused'],
    [14, 'Connection dropped', 'lost'],
    [3, 'invalid argument', 'lost'],
  ])('before any response, with status %i and the message "%s", rejects the append with `%s`', async (code, details, outcome) => {
    const sending = outcomeOf(send('a'));
    call.fail(code, details);
    expect(await sending).toBe(outcome);
    expect(failures).toHaveLength(1);
    expect(stream.isOpen).toBe(false);
  });

  it('after a response, because access is denied, rejects the next append with `lost`', async () => {
    const [first, second] = [outcomeOf(send('a')), outcomeOf(send('b'))];
    call.respond('a');
    call.fail(16, 'the token has expired');
    expect(await Promise.all([first, second])).toEqual(['acknowledged', 'lost']);
  });

  it('because the server ends the stream rejects the append with `lost`', async () => {
    const sending = outcomeOf(send('a'));
    call.emit('end');
    expect(await sending).toBe('lost');
  });

  it('leaves no timer running', async () => {
    const sending = outcomeOf(send('a'));
    call.fail(14, 'Connection dropped');
    call.emit('end');
    await sending;
    stream.cancel();
    expect([clock.waiting(), failures.length, call.isCancelled]).toEqual([0, 1, false]);
  });
});
