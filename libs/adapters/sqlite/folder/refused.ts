/** Why a folder cannot be used. `held`: another process uses it. `foreign`: its files are of different stores. */
export type Refusal = 'held' | 'newer' | 'shape_changed' | 'not_empty' | 'not_a_store' | 'damaged' | 'incomplete' | 'foreign' | 'unusable';

/** Thrown for a folder that cannot be opened, copied or written to. The message names the reason and the remedy. */
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
