import { durationForm, fileForm } from './setting-values.js';

/** The settings of checkpoints and audits (contract 35.1, 35.3, 35.9). */
export const AUDIT = {
  checkpointEveryMilliseconds: {
    name: 'CHECKPOINT_EVERY',
    form: durationForm,
    default: '10m',
    meaning: 'The longest time from an event to the signed checkpoint that covers it',
  },
  auditEveryMilliseconds: {
    name: 'AUDIT_EVERY',
    form: durationForm,
    default: '24h',
    meaning: 'How often the service verifies the whole log',
  },
  signingKeyFile: {
    name: 'SIGNING_KEY_FILE',
    form: fileForm,
    default: null,
    followsFrom: 'a generated key, stored with the other keys of the service',
    meaning: 'PEM file with Ed25519 private keys for checkpoints; the first key signs, the other keys only verify',
  },
} as const;
