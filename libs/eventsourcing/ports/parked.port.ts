import type { ParkedStream } from '../projection.js';
import type { ParkedKey } from './messages.port.js';

/** A parked stream, and the reader that parked it: the checkpoint name of a read model, or the relay. */
export type ParkedOfReader = ParkedStream & { readonly projection: string };

/** Lists what waits because it could not be handled. */
export abstract class Parked {
  /** Returns the parked streams of all readers. Rejects with StoreUnavailable. */
  abstract streams(): Promise<readonly ParkedOfReader[]>;
  /** Returns the parked keys of all consumers. Rejects with StoreUnavailable. */
  abstract keys(): Promise<readonly ParkedKey[]>;
}
