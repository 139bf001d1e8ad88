/** Injection tokens. Ports are interfaces, so they are injected by token. */
export const EVENT_STORE = Symbol('EventStore');
export const DOCUMENTS = Symbol('Documents');
export const PAYMENT_GATEWAY = Symbol('PaymentGateway');
export const KEY_VAULT = Symbol('KeyVault');
export const PASSWORD_HASHER = Symbol('PasswordHasher');
export const CLOCK = Symbol('Clock');
export const CODEC = Symbol('Codec');
export const AGGREGATES = Symbol('Aggregates');
export const IDENTITIES = Symbol('Identities');
export const EGRESS = Symbol('Egress');
export const WORK_QUEUE = Symbol('WorkQueue');
export const STREAM_FAULTS = Symbol('StreamFaults');
