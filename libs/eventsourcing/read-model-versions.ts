import type { Collection } from './ports/documents.port.js';
import type { Beside } from './ports/fills.port.js';

/** A version of a read model that is stored. */
export type StoredVersion = {
  readonly declared: Pick<Collection, 'version' | 'fields' | 'cells'>;
  /** Whether queries read it. It has reached the end of the log before. */
  readonly inService: boolean;
};

/**
 * Returns the version that queries read while the version with the number `requested` is not in service: the newest of the older
 * ones in service. Undefined if there is none, or none is needed. `versions` are all of a read model, oldest first.
 */
export const fallbackOf = <Version extends StoredVersion>(versions: readonly Version[], requested: number): Version | undefined => {
  const isInService = versions.some(({ declared, inService }) => inService && declared.version === requested);
  return isInService ? undefined : versions.findLast(({ declared, inService }) => inService && declared.version < requested);
};

/** Returns whether a version declares all fields, or all cells, that a query names. Only then can it answer the query. */
export const declaresAll = ({ fields, cells }: StoredVersion['declared'], needed: 'fields' | 'cells', names: readonly string[]): boolean =>
  names.every((name) => (needed === 'fields' ? Object.hasOwn(fields, name) : cells.includes(name)));

/**
 * Returns the versions that are older than the newest one in service. Processes of this release do not read them any more. They are
 * dropped, except the one that this release uses: after an update was rolled back, the newest one in service is of the later release.
 */
export const replacedVersions = <Version extends StoredVersion>(versions: readonly Version[]): readonly Version[] => {
  const newest = versions.findLast(({ inService }) => inService);
  return newest ? versions.filter(({ declared }) => declared.version < newest.declared.version) : [];
};

/** Returns the collection beside a version of a read model: another fill of the same version. */
export const besideOf = <C extends Pick<Collection, 'name'>>(collection: C, beside: Beside): C => ({
  ...collection,
  name: `${collection.name}_${beside}`,
});
