/** What a finding concerns. It decides the exit code. */
type Area = 'history' | 'storage' | 'servers' | 'settings' | 'work';

/** The exit codes of faults (contract 43.10). If there are several, the lowest counts. */
const EXIT_CODES: { readonly [A in Area]: number } = { history: 3, storage: 4, servers: 5, settings: 6, work: 7 };

/** The exit code if there are only warnings. */
const EXIT_WARNINGS = 1;

type Kind = { readonly area: Area; readonly severity: 'fault' | 'warning'; readonly section: string };

const fault = (area: Area, section: string): Kind => ({ area, severity: 'fault', section });
const warning = (area: Area, section: string): Kind => ({ area, severity: 'warning', section });

/** All findings: what each concerns, whether something is wrong now or will be, and its section of the runbook. */
export const FINDINGS = {
  'settings-invalid': fault('settings', 'settings-and-ports'),
  'port-in-use': fault('settings', 'settings-and-ports'),
  'version-differs': warning('settings', 'settings-and-ports'),
  'token-ends': warning('settings', 'nobody-can-sign-in'),
  'history-altered': fault('history', 'the-history-is-altered'),
  'history-unreadable': fault('history', 'the-history-is-altered'),
  'keys-unusable': fault('history', 'files-and-keys'),
  'store-refused': fault('history', 'the-history-is-altered'),
  'files-unusable': fault('storage', 'files-and-keys'),
  'not-writable': fault('storage', 'the-disk-is-full'),
  'disk-full': fault('storage', 'the-disk-is-full'),
  'disk-nearly-full': warning('storage', 'the-disk-is-full'),
  'clock-wrong': fault('storage', 'the-clock-is-wrong'),
  'service-away': fault('servers', 'servers-and-topics'),
  'server-away': fault('servers', 'servers-and-topics'),
  'issuer-away': fault('servers', 'nobody-can-sign-in'),
  'issuer-keys-old': warning('servers', 'nobody-can-sign-in'),
  'certificate-expired': fault('servers', 'servers-and-topics'),
  'certificate-ends': warning('servers', 'servers-and-topics'),
  'topic-differs': fault('servers', 'servers-and-topics'),
  'topic-noticed': warning('servers', 'servers-and-topics'),
  'read-model-behind': warning('work', 'the-list-is-old'),
  'read-model-fails': fault('work', 'the-list-is-old'),
  'read-model-paused': warning('work', 'the-list-is-old'),
  'fill-waits': warning('work', 'the-list-is-old'),
  'consumer-behind': warning('work', 'an-order-is-not-approved'),
  parked: fault('work', 'an-order-is-not-approved'),
  'read-model-parked': fault('work', 'the-list-is-old'),
  'delivery-dead': fault('work', 'a-webhook-does-not-arrive'),
  stuck: fault('work', 'an-order-is-not-approved'),
} as const satisfies Readonly<Record<string, Kind>>;

export type FindingName = keyof typeof FINDINGS;

/** Something that is wrong, or will be. `remedy` is what to do, `runbook` where the runbook says more. */
export type Finding = {
  readonly finding: FindingName;
  readonly severity: Kind['severity'];
  readonly text: string;
  readonly remedy: string;
  readonly runbook: string;
};

/** What was checked, in words, and what was found. `note` says what else a reader should know. */
export type Checkup = { readonly checked: readonly string[]; readonly findings: readonly Finding[]; readonly note?: string };

/** Creates a finding. */
export const found = (finding: FindingName, text: string, remedy: string): Finding => {
  const { severity, section } = FINDINGS[finding];
  return { finding, severity, text, remedy, runbook: `deploy/runbook.md#${section}` };
};

/** Returns the exit code of these findings: 0 without any, 1 with only warnings, otherwise the lowest of their faults. */
export const exitCodeOf = (findings: readonly Pick<Finding, 'finding'>[]): number => {
  const faults = findings.map(({ finding }) => FINDINGS[finding]).filter(({ severity }) => severity === 'fault');
  if (faults.length > 0) return Math.min(...faults.map(({ area }) => EXIT_CODES[area]));
  return findings.length > 0 ? EXIT_WARNINGS : 0;
};
