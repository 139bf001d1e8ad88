import { existsSync } from 'node:fs';
import { REMEDIES } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { connectClient, type ServiceOptions } from '../../client/service-client.js';
import { clock } from '../../composition/clock.js';
import { hasStore, readFolderOwner } from '../../composition/embedded/folder.js';
import { inspectEvents, inspectFiles, type UnusableFile } from '../../composition/embedded/inspect-folder.js';
import { inspectStoppedWork } from '../../composition/embedded/inspect-stopped.js';
import { findTakenPorts, readDisk } from '../../composition/inspect-machine.js';
import { checkClock, checkDisk, checkPorts, checkSigningKey } from './check-machine.js';
import { checkParked, checkService, checkStuck, pausedFinding } from './check-service.js';
import { found, type Checkup, type Finding } from './finding.js';

/** Checks the folder of an embedded store, and the service that runs on it. Writes nothing. */
export const checkFolder = async (
  settings: Settings,
  options: ServiceOptions,
  caller: { readonly subject: string; readonly scope: string },
): Promise<Checkup> => {
  const { dataDir } = settings;
  if (dataDir === ':memory:') return { checked: ['settings', 'ports'], findings: checkPorts(await findTakenPorts(settings)) };
  const disk = existsSync(dataDir) ? checkDisk(dataDir, await readDisk(dataDir)) : [];
  // SQLite can open no file on a full disk, so the files say nothing then.
  if (disk.some(({ finding }) => finding === 'disk-full')) return { checked: ['settings', 'disk'], findings: disk };
  const keys = checkSigningKey(settings);
  const unusable = inspectFiles(dataDir).map(unusableFinding);
  if (unusable.length > 0) return { checked: ['settings', 'disk', 'files'], findings: [...disk, ...unusable, ...keys] };
  const owner = await readFolderOwner(dataDir);
  const ports = owner ? [] : checkPorts(await findTakenPorts(settings));
  const note = owner ? {} : { note: `No service runs on ${dataDir}.` };
  if (!hasStore(dataDir))
    return { checked: ['settings', 'ports'], findings: [...ports, ...keys], note: `There is no store in ${dataDir} yet.` };
  const log = await inspectEvents(dataDir);
  const findings: readonly Finding[] = [
    ...keys,
    ...disk,
    ...ports,
    ...log.faults.map(({ reason, kind }) => found(kind === 'altered' ? 'history-altered' : 'history-unreadable', reason, REMEDIES[kind])),
    ...(log.lastEventAt ? checkClock(log.lastEventAt, 'the last event', clock.now(), 'may be older') : []),
  ];
  const hashes = `the hashes of ${log.events.toLocaleString('en')} events`;
  const checked = ['settings', 'files', 'keys', 'disk', 'clock', hashes, 'read models', 'parked', 'stuck'];
  if (owner?.url === undefined) {
    const work = await inspectStoppedWork(settings, log).catch(nullIfOlder);
    return {
      checked: [...checked, 'ports'],
      findings: [
        ...findings,
        ...Object.entries(work?.paused ?? {}).map(([name, pause]) => pausedFinding(name, pause)),
        ...(work ? [...checkParked(work.parked, 'with unreadable'), ...checkStuck(work.stuck)] : []),
      ],
      ...(work ? note : { note: 'An earlier release wrote this folder: what waits in it shows after a start.' }),
    };
  }
  const ofService = await checkService(() => connectClient(settings, options, caller));
  const known = new Set(findings.map(({ text }) => text));
  return {
    checked: [...checked, `the service at ${owner.url}`],
    findings: [...findings, ...ofService.filter(({ text }) => !known.has(text))],
  };
};

/** Returns the finding of a file that cannot be used. */
export const unusableFinding = ({ isOfKeys, text, remedy }: UnusableFile): Finding =>
  found(isOfKeys ? 'keys-unusable' : 'files-unusable', text, remedy);

/** The tables of an earlier release have other columns. A start changes them. */
const nullIfOlder = (error: unknown): null => {
  if (error instanceof Error && error.message.includes('no such ')) return null;
  throw error;
};
