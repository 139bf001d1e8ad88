export type Refusal = 'held' | 'newer' | 'shape_changed' | 'not_empty' | 'not_a_store' | 'damaged' | 'incomplete' | 'foreign' | 'unusable';

/** A folder that is not opened, copied or filled, and why; the message says what to do about it. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused';

  constructor(
    readonly refusal: Refusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
