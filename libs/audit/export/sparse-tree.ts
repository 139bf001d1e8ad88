import { hashNode } from '../proof/merkle-tree.js';
import { bytesOf, textOf } from '../proof/primitives.js';

/** A complete subtree, whose number of leaves is a power of two. */
type Subtree = {
  readonly size: number;
  readonly hash: Uint8Array;
  /**
   * The hashes of the parts of this subtree that have no shown leaves, from left to right. `hash` is computed from these hashes
   * and the shown leaves. Null if no leaf is shown.
   */
  readonly nodes: readonly string[] | null;
};

/** A subtree as JSON. */
export type SubtreeState = { readonly size: number; readonly hash: string; readonly nodes: readonly string[] | null };

/** The leaf of a shown event, and the number of the event in the log, from 1. */
export type ShownLeaf = { readonly number: number; readonly leaf: Uint8Array };

/**
 * A Merkle tree (RFC 6962) that shows some of its leaves. In place of the other leaves, it has the hashes of the largest
 * subtrees without shown leaves. The root is computed from these hashes and the shown leaves.
 */
export class SparseTree {
  private constructor(private readonly subtrees: Subtree[]) {}

  /** Continues a tree of `size` leaves that shows none of them. `hashes` are the roots of its complete subtrees. */
  static ofHashes(size: number, hashes: readonly string[]): SparseTree {
    // Each 1 in the binary form of the size is a complete subtree, the largest one first.
    const sizes = [...size.toString(2)].map((bit, index, bits) => Number(bit) * 2 ** (bits.length - 1 - index)).filter((part) => part > 0);
    if (sizes.length !== hashes.length) throw new RangeError(`a tree of ${size} leaves does not have ${hashes.length} complete subtrees`);
    return SparseTree.resume(sizes.map((part, index) => ({ size: part, hash: hashes[index] ?? '', nodes: null })));
  }

  /** Continues a tree from the result of `state`. */
  static resume(states: readonly SubtreeState[]): SparseTree {
    return new SparseTree(states.map((state) => ({ ...state, hash: bytesOf(state.hash) })));
  }

  /** Returns the tree as JSON. */
  state(): readonly SubtreeState[] {
    return this.subtrees.map((subtree) => ({ ...subtree, hash: textOf(subtree.hash) }));
  }

  /** Adds the next leaf. */
  add(leaf: Uint8Array, isShown: boolean): void {
    // Two neighbouring subtrees of equal size are joined into one subtree.
    let added: Subtree = { size: 1, hash: leaf, nodes: isShown ? [] : null };
    for (let left = this.subtrees.at(-1); left?.size === added.size; left = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = join(left, added);
    }
    this.subtrees.push(added);
  }

  /** Returns the root, and the hashes that are needed to compute it from the shown leaves. The tree must have a leaf. */
  finish(): { readonly root: string; readonly nodes: readonly string[] } {
    const { hash, nodes } = this.subtrees.reduceRight((right, left) => join(left, right));
    return { root: textOf(hash), nodes: nodes ?? [textOf(hash)] };
  }
}

const join = (left: Subtree, right: Subtree): Subtree => ({
  size: left.size + right.size,
  hash: hashNode(left.hash, right.hash),
  nodes: left.nodes || right.nodes ? [...(left.nodes ?? [textOf(left.hash)]), ...(right.nodes ?? [textOf(right.hash)])] : null,
});

/**
 * Computes the root of a tree of `size` leaves from its shown leaves and from `nodes`, the hashes of the subtrees without
 * shown leaves. Returns null if leaves or hashes are missing or left over. Even then, reads all leaves.
 */
export const rootFrom = (size: number, leaves: Iterator<ShownLeaf>, nodes: readonly string[]): string | null => {
  let next = leaves.next();
  let used = 0;
  // Returns the hash of the subtree that has the leaves with the numbers `from + 1` to `to`.
  const hashOf = (from: number, to: number): Uint8Array => {
    if (next.done || next.value.number > to) return bytesOf(nodes[used++] ?? '');
    if (to - from === 1) {
      const { leaf } = next.value;
      next = leaves.next();
      return leaf;
    }
    // The left part has the largest power of two that is smaller than the number of leaves (RFC 6962).
    const middle = from + 2 ** (Math.ceil(Math.log2(to - from)) - 1);
    return hashNode(hashOf(from, middle), hashOf(middle, to));
  };
  const root = textOf(hashOf(0, size));
  const isExact = next.done && used === nodes.length;
  while (!next.done) next = leaves.next();
  return isExact ? root : null;
};
