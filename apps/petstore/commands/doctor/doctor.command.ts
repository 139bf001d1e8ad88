import { SettingsError, type Settings } from '../../../../libs/settings/settings.js';
import { connectClient } from '../../client/service-client.js';
import { clock } from '../../composition/clock.js';
import { unusableIn } from '../../composition/embedded/inspect-folder.js';
import { formatError } from '../../errors/error-text.js';
import type { OperatorOptions } from '../ops/parked.command.js';
import { operatorName } from '../ops/run-as-operator.js';
import { checkToken } from './check-machine.js';
import { checkService } from './check-service.js';
import { exitCodeOf, found, type Checkup } from './finding.js';

/** Checks a store and what it needs, prints what is wrong and what helps, and exits with a code for it (contract 43.10). */
export const doctorCommand = async (readSettings: () => Settings, options: OperatorOptions): Promise<void> => {
  const { checked, findings, note } = await checkUp(readSettings, options);
  const exitCode = exitCodeOf(findings);
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ exitCode, checked, findings, note })}\n`
      : formatCheckup({ checked, findings, ...(note !== undefined && { note }) }),
  );
  process.exitCode = exitCode;
};

const checkUp = async (readSettings: () => Settings, options: OperatorOptions): Promise<Checkup> => {
  let settings: Settings;
  try {
    settings = readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const remedy = 'correct the variable; docs/configuration.md has its form';
    return { checked: ['settings'], findings: error.problems.map((problem) => found('settings-invalid', problem, remedy)) };
  }
  const caller = { subject: operatorName(), scope: 'ops' };
  const ofToken = options.token === undefined ? [] : checkToken(options.token, clock.now());
  const { findings, ...checkup } = await checkStore(settings, options, caller);
  return { ...checkup, findings: [...ofToken, ...findings] };
};

const checkStore = async (
  settings: Settings,
  options: OperatorOptions,
  caller: { readonly subject: string; readonly scope: string },
): Promise<Checkup> => {
  const { servers } = settings;
  if (servers) return (await import('./check-servers.js')).checkServers({ ...settings, servers }, options, caller);
  if (options.url !== undefined)
    return { checked: [`the service at ${options.url}`], findings: await checkService(() => connectClient(settings, options, caller)) };
  const { checkFolder, unusableFinding } = await import('./check-folder.js');
  try {
    return await checkFolder(settings, options, caller);
  } catch (error) {
    const unusable = unusableIn(error);
    if (unusable) return { checked: ['settings'], findings: [unusableFinding(unusable)] };
    const text = formatError(error, []);
    if (text === null) throw error;
    return { checked: ['settings'], findings: [found('files-unusable', text, 'see the text')] };
  }
};

const formatCheckup = ({ checked, findings, note }: Checkup): string => {
  const lines = findings.map(
    ({ severity, finding, text, remedy, runbook }) => `${severity}: ${text} [${finding}]\n  what to do: ${remedy}\n  see ${runbook}\n`,
  );
  const faults = findings.filter(({ severity }) => severity === 'fault').length;
  const warnings = findings.length - faults;
  const summary = findings.length === 0 ? 'Nothing is wrong.' : `${count(faults, 'fault')}, ${count(warnings, 'warning')}.`;
  return `${lines.join('\n')}${lines.length > 0 ? '\n' : ''}${summary}${note === undefined ? '' : ` ${note}`} Checked: ${checked.join(', ')}.\n`;
};

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
