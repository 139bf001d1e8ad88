import { describe, expect, it } from '@jest/globals';
import { eventsParser } from './events-stream.js';

const parse = (...pieces: readonly string[]) => {
  const next = eventsParser();
  return pieces.flatMap((piece) => next(piece));
};

describe('the parser of server-sent events', () => {
  it('returns an event at its empty line', () => {
    expect(parse('event: state\ndata: {"at":1}\n')).toEqual([]);
    expect(parse('event: state\ndata: {"at":1}\n\n')).toEqual([{ event: 'state', data: '{"at":1}' }]);
  });

  it('leaves out comments and unknown fields', () =>
    expect(parse(': waiting\n\nid: 7\nretry: 5\ndata: a\n\n')).toEqual([{ event: 'message', data: 'a' }]));

  it('joins several lines of data', () => expect(parse('data: a\ndata:b\ndata\n\n')).toEqual([{ event: 'message', data: 'a\nb\n' }]));

  it.each(['\n', '\r\n', '\r'])('accepts the end of line %j, wherever the pieces end', (end) => {
    const text = ['event: appended', 'data: ä:b', '', 'data: c', '', ''].join(end);
    const events = [
      { event: 'appended', data: 'ä:b' },
      { event: 'message', data: 'c' },
    ];
    // A CR at the end of the stream may be half of CR LF, so the event after it is still awaited.
    const expected = end === '\r' ? events.slice(0, 1) : events;
    for (let at = 0; at <= text.length; at++) expect(parse(text.slice(0, at), text.slice(at))).toEqual(expected);
    expect(parse(...text)).toEqual(expected);
  });
});
