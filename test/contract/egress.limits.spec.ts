import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { openEgress } from '../../libs/adapters/egress/index.js';
import type { Connect } from '../../libs/adapters/egress/connections/dial.js';
import type { EgressOptions } from '../../libs/adapters/egress/http-egress.js';
import type { EgressFailed, OutgoingResponse } from '../../libs/ports/egress.port.js';
import { eventually } from '../eventually.js';
import { connectHere, failureOf, PUBLIC, PUBLIC_6, rawReceiver, recordingLookup, requestTo, type TestServer } from './egress.js';

const CONNECT = 5_000;
const WHOLE = 15_000;

/** A connect function whose connections are never established. It records the sockets. */
const silentConnect = (): Connect & { readonly sockets: readonly Socket[] } => {
  const sockets: Socket[] = [];
  const connect: Connect = () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  return Object.assign(connect, { sockets });
};

/** Proves contract 21.5: the limits of time and size. */
describe('egress to a receiver that', () => {
  let clock: ManualClock;
  let receiver: TestServer | null;
  beforeEach(() => {
    clock = manualClock();
    receiver = null;
  });
  afterEach(() => receiver?.close());

  const post = (options: Partial<EgressOptions>, url = 'http://hooks.example.com'): Promise<OutgoingResponse> =>
    openEgress({ clock, allow: 'none', lookup: recordingLookup([PUBLIC]), ...options }).post(requestTo(url));
  /** Starts a receiver that calls `speak` for each connection, and posts to it. */
  const postTo = async (speak: (socket: Socket) => void, url?: string): Promise<{ readonly post: Promise<OutgoingResponse> }> => {
    receiver = await rawReceiver(speak);
    return { post: post({ connect: connectHere(receiver.port) }, url) };
  };
  const onFirstData = (socket: Socket, then: () => void): void => void socket.once('data', then);

  describe('does not answer', () => {
    it('fails after 15 s and closes the connection', async () => {
      let socket: Socket | null = null;
      let closed = false;
      const { post } = await postTo((connected) => {
        connected.once('close', () => (closed = true));
        onFirstData(connected, () => (socket = connected));
      });
      const failure = failureOf(post);
      await eventually('the request', () => socket);
      clock.advance(WHOLE - 1);
      expect(closed).toBe(false);
      clock.advance(1);
      expect((await failure).fault).toBe('timed_out');
      await eventually('the connection to be closed', () => closed);
    });

    it.each([
      ['in the middle of a header', 'HTTP/1.1 200 OK\r\nx-slow: '],
      ['in the middle of a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhel'],
      ['after an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ])('%s: fails after 15 s', async (_, start) => {
      let sent = false;
      const { post } = await postTo((socket) => onFirstData(socket, () => void socket.write(start, () => (sent = true))));
      const failure = failureOf(post);
      await eventually('the beginning of a response', () => sent);
      clock.advance(WHOLE);
      expect((await failure).fault).toBe('timed_out');
    });

    it('to the TLS handshake: fails after 15 s', async () => {
      let greeted = false;
      const { post } = await postTo((socket) => onFirstData(socket, () => void (greeted = true)), 'https://hooks.example.com');
      const failure = failureOf(post);
      await eventually('a greeting', () => greeted);
      clock.advance(WHOLE);
      expect((await failure).fault).toBe('timed_out');
    });
  });

  it('sends a byte a second: fails after 15 s', async () => {
    let socket: Socket | null = null;
    const { post } = await postTo((connected) =>
      onFirstData(connected, () => {
        connected.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        socket = connected;
      }),
    );
    let failure: EgressFailed | null = null;
    void failureOf(post).then((failed) => (failure = failed));
    const connected = await eventually('the request', () => socket);
    for (let second = 1; second < WHOLE / 1_000; second++) {
      await new Promise<void>((resolve) => connected.write('1\r\nx\r\n', () => resolve()));
      clock.advance(1_000);
      expect(failure).toBeNull();
    }
    clock.advance(1_000);
    expect(await eventually('an end', () => failure)).toMatchObject({ fault: 'timed_out' });
  });

  it('does not accept the connection: tries the next address after 5 s', async () => {
    const connect = silentConnect();
    const failure = failureOf(post({ connect, lookup: recordingLookup([PUBLIC, PUBLIC_6]) }));
    await eventually('a first attempt', () => connect.sockets.length === 1);
    clock.advance(CONNECT);
    await eventually('a second attempt', () => connect.sockets.length === 2);
    clock.advance(CONNECT);
    expect((await failure).fault).toBe('timed_out');
    expect(connect.sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(clock.waiting()).toBe(0);
  });

  it('has many addresses that do not accept: fails after 15 s', async () => {
    const connect = silentConnect();
    const failure = failureOf(post({ connect, lookup: recordingLookup(Array<string>(100).fill(PUBLIC)) }));
    for (let attempt = 1; attempt <= WHOLE / CONNECT; attempt++) {
      await eventually('an attempt', () => connect.sockets.length === attempt);
      clock.advance(CONNECT);
    }
    expect((await failure).fault).toBe('timed_out');
    expect(connect.sockets).toHaveLength(WHOLE / CONNECT);
  });

  it('has a silent nameserver: fails after 15 s and ignores the late response', async () => {
    const connect = silentConnect();
    let speak: (addresses: readonly string[]) => void = () => undefined;
    const lookup = (): Promise<readonly string[]> => new Promise((resolve) => (speak = resolve));
    const failure = failureOf(post({ connect, lookup }));
    clock.advance(WHOLE);
    expect((await failure).fault).toBe('timed_out');
    speak([PUBLIC]);
    await new Promise(setImmediate);
    expect(connect.sockets).toEqual([]);
  });

  it('sends 10 MB: returns the first 2 KiB of the body and closes the connection', async () => {
    const size = 10 * 1024 * 1024;
    const { connect, sockets } = watchedConnect();
    receiver = await rawReceiver((socket) =>
      onFirstData(socket, () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
        socket.write(Buffer.alloc(size, 'x'));
      }),
    );
    const response = await post({ connect: connect(receiver.port) });
    expect(response).toEqual({ status: 200, headers: { 'content-length': String(size) }, body: 'x'.repeat(2_048) });
    expect(sockets[0]?.destroyed).toBe(true);
    expect(sockets[0]?.bytesRead).toBeLessThan(1024 * 1024);
  });

  it('sends endless headers: fails with answer_too_large', async () => {
    const { post } = await postTo((socket) =>
      onFirstData(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        for (let index = 0; index < 1_000; index++) socket.write(`x-header-${index}: ${'x'.repeat(100)}\r\n`);
      }),
    );
    expect((await failureOf(post)).fault).toBe('answer_too_large');
  });

  it.each([
    ['hangs up', '', 'unreachable'],
    ['hangs up within a header', 'HTTP/1.1 200 OK\r\nx-', 'unreachable'],
    [
      'sends too many interim responses',
      `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`,
      'broken_answer',
    ],
    ['hangs up within a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhel', 'broken_answer'],
    ['speaks another protocol', '220 mail.example.com ESMTP\r\n', 'broken_answer'],
    ['sends two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nhi', 'broken_answer'],
    ['sends a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 'broken_answer'],
    ['sends no status code', 'HTTP/1.1 OK\r\n\r\n', 'broken_answer'],
    [
      'switches to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'broken_answer',
    ],
  ])('%s: fails', async (_, sent, fault) => {
    const { post } = await postTo((socket) => onFirstData(socket, () => void socket.end(sent)));
    expect((await failureOf(post)).fault).toBe(fault);
    expect(clock.waiting()).toBe(0);
  });

  it('responds: returns the response and leaves no timer', async () => {
    const { post } = await postTo((socket) =>
      onFirstData(socket, () => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')),
    );
    expect(await post).toEqual({ status: 200, headers: { 'content-length': '2' }, body: 'hi' });
    expect(clock.waiting()).toBe(0);
  });
});

/** Connects to this machine, and records the sockets so that a test can inspect them. */
const watchedConnect = (): { readonly sockets: readonly Socket[]; readonly connect: (port: number) => Connect } => {
  const sockets: Socket[] = [];
  const connect =
    (port: number): Connect =>
    (...target) => {
      const socket = connectHere(port)(...target);
      sockets.push(socket);
      return socket;
    };
  return { sockets, connect };
};
