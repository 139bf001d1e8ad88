import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import type { TokenClaims } from '../../ports/access-token.port.js';
import { acceptManageTokens, ManageTokens } from './manage-tokens.js';

const TENANT = '6f1c0a52-7d0e-4b5a-9c3e-2f8d1b7a4e60';
const keys = { serviceKey: async () => Buffer.alloc(32, 7) };

/** Proves contract 36.7. */
describe('the tokens of applications', () => {
  let stored: Map<string, StoredDocument>;
  let tokens: ManageTokens;
  let count: number;
  const ids = { next: () => String(++count) } as Ids;
  const issue = (adoptionId: string, tenant = SHARED_POOL) => tokens.issue({ adoptionId, tenant }, ids);

  beforeEach(() => {
    stored = new Map();
    count = 0;
    const write = (each: DocumentWrite): void => {
      if (each.kind === 'put') stored.set(each.document.key, each.document);
      else if (each.kind === 'delete') stored.delete(each.key);
    };
    const documents: Pick<Documents, 'get' | 'apply' | 'find'> = {
      get: async (_, key) => stored.get(key) ?? null,
      find: async (_, { where }) => [...stored.values()].filter(({ fields }) => fields['adoptionId'] === where['adoptionId']),
      apply: async (writes) => (writes.forEach(write), true),
    };
    tokens = new ManageTokens(documents as Documents, keys);
  });

  it('give access to one application in its tenant, without any scope', async () => {
    const claims = { subject: 'adoption:one', scopes: new Set(), adoptionId: 'one' };
    expect(await tokens.find(await issue('one'))).toEqual(claims);
    expect(await tokens.find(await issue('one', TENANT))).toEqual({ ...claims, tenant: TENANT });
  });

  it('are not stored, and differ for each response', async () => {
    const issued = [await issue('one'), await issue('one')];
    expect(new Set(issued).size).toBe(2);
    for (const token of issued) expect(JSON.stringify([...stored])).not.toContain(token.replace('manage_', ''));
  });

  it('are valid until the application is forgotten, all at once', async () => {
    const [one, again, other] = [await issue('one'), await issue('one'), await issue('other')];
    await tokens.forget('one');
    await tokens.forget('one');
    expect([await tokens.find(one), await tokens.find(again)]).toEqual([null, null]);
    expect(await tokens.find(other)).not.toBeNull();
  });

  it('are accepted beside access tokens', async () => {
    const verifier = acceptManageTokens({ verify: (token) => (token === 'ey' ? { subject: 'ann', scopes: new Set() } : null) }, tokens);
    const subjectOf = async (token: string) => ((await verifier.verify(token)) as TokenClaims | null)?.subject;
    expect([await subjectOf(await issue('one')), await subjectOf('ey')]).toEqual(['adoption:one', 'ann']);
    expect([await subjectOf('manage_unknown'), await subjectOf('other')]).toEqual([undefined, undefined]);
  });
});
