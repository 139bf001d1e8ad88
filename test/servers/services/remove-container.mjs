/**
 * Waits until standard input closes, then removes a folder and the containers whose label names it. Standard input closes
 * when the process that started this program closes it, ends or is killed.
 * Usage: node remove-container.mjs LABEL FOLDER
 */
import { rmSync } from 'node:fs';

const [label, folder] = process.argv.slice(2);

process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve).once('error', resolve));

try {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { dockerode } = (await getContainerRuntimeClient()).container;
  const found = await dockerode.listContainers({ all: true, filters: { label: [`${label}=${folder}`] } });
  await Promise.all(found.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
