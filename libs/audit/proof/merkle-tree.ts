import { bytesOf, concatenate, sha256, sha256Text, textOf } from './primitives.js';

/** The length of a SHA-256 in bytes. */
const LENGTH = 32;
/**
 * A buffer for the bytes that are hashed for a node: the byte 1 (RFC 6962), and the node's two children. All nodes share it,
 * because creating a buffer takes longer than hashing it.
 */
const NODE = new Uint8Array(1 + 2 * LENGTH).fill(1);

/** Returns the hash of a leaf (RFC 6962, 2.1). */
export const hashLeaf = (text: string): Uint8Array => sha256(`\0${text}`);

/** Returns the hash of a node with two children (RFC 6962, 2.1). */
export const hashNode = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  // In a forged proof, the children may have any length.
  if (left.length !== LENGTH || right.length !== LENGTH) return sha256(concatenate(NODE.subarray(0, 1), concatenate(left, right)));
  NODE.set(left, 1);
  NODE.set(right, 1 + LENGTH);
  return sha256(NODE);
};

/**
 * An append-only Merkle tree (RFC 6962). To take little memory, it keeps only the roots of its complete subtrees: one for
 * each 1 in the binary form of its size.
 */
export class MerkleTree {
  private constructor(
    private leaves: number,
    /** The roots of the complete subtrees, from the largest to the smallest. */
    private readonly roots: Uint8Array[],
  ) {}

  static empty(): MerkleTree {
    return new MerkleTree(0, []);
  }

  /** Continues a tree of `size` leaves from its complete subtrees. Throws RangeError if their number does not fit this size. */
  static resume(size: number, subtrees: readonly string[]): MerkleTree {
    if (bitsOf(size) !== subtrees.length)
      throw new RangeError(`a tree of ${size} leaves does not have ${subtrees.length} complete subtrees`);
    return new MerkleTree(size, subtrees.map(bytesOf));
  }

  get size(): number {
    return this.leaves;
  }

  /** Returns the roots of the complete subtrees in base64url, from the largest to the smallest. */
  subtrees(): readonly string[] {
    return this.roots.map(textOf);
  }

  /** Adds the hash of a leaf. */
  add(leaf: Uint8Array): void {
    // For each 1 at the end of the size's binary form, the last complete subtree is as large as `node`. The loop joins the two.
    let node = leaf;
    for (let size = this.leaves; size % 2 === 1; size = (size - 1) / 2) node = hashNode(this.roots.pop() as Uint8Array, node);
    this.roots.push(node);
    this.leaves++;
  }

  /** Returns the root, base64url. The root of an empty tree is the hash of an empty text. */
  root(): string {
    const smallest = this.roots.at(-1);
    if (!smallest) return sha256Text('');
    return textOf(this.roots.slice(0, -1).reduceRight((right, left) => hashNode(left, right), smallest));
  }
}

/** Returns the number of ones in a number's binary form. */
const bitsOf = (size: number): number => [...size.toString(2)].filter((digit) => digit === '1').length;
