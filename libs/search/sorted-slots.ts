/** Slots in an order that their owner defines. Inserting and removing take memory moves, which are fast up to about a million slots. */
export class SortedSlots {
  slots = new Int32Array(4);
  length = 0;

  /** Returns the index of the first slot in [from, to) for which `isBefore` is false, or `to`. The slots before it are all before. */
  search(isBefore: (slot: number) => boolean, from = 0, to = this.length): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.slots[middle])) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insertAt(index: number, slot: number): void {
    this.reserve(this.length + 1);
    this.slots.copyWithin(index + 1, index, this.length++);
    this.slots[index] = slot;
  }

  removeAt(index: number): void {
    this.slots.copyWithin(index, index + 1, this.length--);
  }

  /** Adds a slot at the end. Call `sort` after the last one. */
  push(slot: number): void {
    this.reserve(this.length + 1);
    this.slots[this.length++] = slot;
  }

  sort(compare: (one: number, other: number) => number): void {
    this.slots.subarray(0, this.length).sort(compare);
  }

  private reserve(length: number): void {
    if (length <= this.slots.length) return;
    const grown = new Int32Array(Math.ceil(length * 1.5));
    grown.set(this.slots);
    this.slots = grown;
  }
}
