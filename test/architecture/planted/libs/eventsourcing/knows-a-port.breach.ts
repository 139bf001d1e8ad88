import type { Signer } from '../ports/signer.port.js';
export type Known = Signer;
