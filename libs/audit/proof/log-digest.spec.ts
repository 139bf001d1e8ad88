import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogDigest, nextTenantHash, proofMembers } from './log-digest.js';
import { hashNode, MerkleTree } from './merkle-tree.js';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** MTH of RFC 6962, 2.1, written from its text. */
const rootOf = (leaves: readonly Buffer[]): Buffer => {
  const [first] = leaves;
  if (!first) return sha256();
  if (leaves.length === 1) return first;
  const half = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1);
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
};

describe('a Merkle tree (contract 35.2)', () => {
  const leaves = Array.from({ length: 70 }, (_, index) => sha256(Buffer.from(String(index))));

  it('has the root of RFC 6962 at every size, also after it was resumed', () => {
    let tree = MerkleTree.empty();
    expect(tree.root()).toBe(rootOf([]).toString('base64url'));
    for (const [index, leaf] of leaves.entries()) {
      tree.add(leaf);
      expect(tree.root()).toBe(rootOf(leaves.slice(0, index + 1)).toString('base64url'));
      tree = MerkleTree.resume(tree.size, tree.subtrees());
    }
  });

  it('does not resume from subtrees of another size', () => expect(() => MerkleTree.resume(3, [])).toThrow(RangeError));
});

describe('the digest of a log (contract 35.2)', () => {
  it('has the bytes that docs/audit.md describes', () => {
    const digest = LogDigest.empty();
    digest.add({ stream: 'pet-1', revision: 0, hash: 'h1', tenant: 'a' });
    digest.add({ stream: 'pet-1', revision: 1, hash: 'h2', tenant: 'a' });
    const leaf = (text: string): Buffer => sha256(Buffer.of(0), Buffer.from(text));
    const one = leaf('{"hash":"h1","number":1,"revision":0,"stream":"pet-1"}');
    const other = leaf('{"hash":"h2","number":2,"revision":1,"stream":"pet-1"}');
    expect(digest.root()).toBe(sha256(Buffer.of(1), one, other).toString('base64url'));
    const running = sha256(sha256(Buffer.alloc(32), one), other).toString('base64url');
    const tenant = sha256(Buffer.from(`{"count":2,"hash":"${running}","tenant":"a"}`)).toString('base64url');
    expect(digest.tenantDigests()).toEqual([tenant]);
  });
});

describe('a hash of two hashes', () => {
  it('depends on every byte of both hashes, even if a forged proof has hashes of other lengths', () => {
    const bytes = fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 80 }));
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect(hashNode(one, other)).toEqual(sha256(Buffer.of(1), one, other));
        expect(nextTenantHash(one, other)).toEqual(sha256(one, other));
      }),
    );
  });
});

describe('the members of metadata in a proof', () => {
  it('equal the members of the parsed metadata for any values', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('","tenant":"x', '\\', '"hash":"', ',"time":"'));
    fc.assert(
      fc.property(fc.record({ actor: text, hash: text, tenant: text, time: text, traceparent: text }), (metadata) => {
        const { hash, tenant, time } = metadata;
        expect(proofMembers({ metadata: JSON.stringify(metadata) })).toEqual({ hash, tenant, time });
      }),
    );
  });

  it.each([
    ['{"actor":"x","tenant":1,"time":null}', { hash: '', tenant: '', time: '' }],
    ['no JSON', { hash: '', tenant: '', time: '' }],
    ['{"tenant":"a","hash":"h","time":"t"}', { hash: 'h', tenant: 'a', time: 't' }],
  ])('are read from %s', (metadata, expected) => expect(proofMembers({ metadata })).toEqual(expected));
});
