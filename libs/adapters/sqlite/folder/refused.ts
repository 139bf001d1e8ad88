export type Refusal = 'held' | 'newer' | 'shape_changed' | 'not_empty' | 'not_a_store' | 'damaged' | 'incomplete' | 'foreign' | 'unusable';

/** A folder that cannot be opened, copied or written to. The message says why and what to do. */
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
