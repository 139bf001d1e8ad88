import type { Signer } from './signer.port.js';
export type Known = Signer;
