import { describe, expect, it } from '@jest/globals';
import type { PublicMessage } from '../../eventsourcing/ports/publisher.port.js';
import { pointerOf, recordOf } from './records.js';

const message: PublicMessage = {
  topic: 'petstore.pets.v1',
  key: 'p1',
  attributes: {
    specversion: '1.0',
    id: 'event-1',
    type: 'petstore.pet.adopted.v1',
    source: '/petstore/pets',
    subject: 'pet-p1',
    time: '2026-01-02T03:04:05.000Z',
    datacontenttype: 'application/json',
    tenantid: 'shared',
    sequence: '3',
    eventtype: 'PetAdopted',
  },
  data: '{"petId":"p1"}',
};
const headers = (changed: Readonly<Record<string, string | undefined>> = {}) =>
  Object.fromEntries(
    Object.entries({ ...recordOf(message).headers, ...changed }).map(([name, value]) => [name, value && Buffer.from(String(value))]),
  );

describe('a message', () => {
  it('is stored as a CloudEvent in binary mode, with unchanged data and a header for each attribute', () => {
    const record = recordOf(message);
    const headerTexts = Object.fromEntries(Object.entries(record.headers ?? {}).map(([name, value]) => [name, String(value)]));
    expect({ ...record, headers: headerTexts }).toEqual({
      key: 'p1',
      value: '{"petId":"p1"}',
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: 'event-1',
        ce_type: 'petstore.pet.adopted.v1',
        ce_source: '/petstore/pets',
        ce_subject: 'pet-p1',
        ce_time: '2026-01-02T03:04:05.000Z',
        ce_tenantid: 'shared',
        ce_sequence: '3',
        ce_eventtype: 'PetAdopted',
      },
    });
  });

  it('points to its event', () =>
    expect(pointerOf({ headers: headers() })).toEqual({
      stream: 'pet-p1',
      revision: 2,
      type: 'PetAdopted',
      key: 'pet-p1',
      tenant: 'shared',
    }));

  it('has the span that published it in the header traceparent (contract 22.2, contract 25.8)', () => {
    const traceparent = '00-000000000000000000000000000000aa-00000000000000bb-01';
    const record = recordOf({ ...message, traceparent });
    expect(record.headers).toMatchObject({ traceparent });
    expect(pointerOf({ headers: headers({ traceparent }) })).toMatchObject({ revision: 2, traceparent });
  });

  it.each(['ce_subject', 'ce_eventtype', 'ce_sequence'])('without %s is ignored', (name) =>
    expect(pointerOf({ headers: headers({ [name]: undefined }) })).toBeNull(),
  );

  it('is ignored if it was published again by a replay (contract 22.8)', () =>
    expect(pointerOf({ headers: headers({ ce_replayedat: '2026-01-02T03:04:05.000Z' }) })).toBeNull());

  it.each(['0', '1.5', 'x'])('with the sequence %s is ignored', (sequence) =>
    expect(pointerOf({ headers: headers({ ce_sequence: sequence }) })).toBeNull(),
  );
});
