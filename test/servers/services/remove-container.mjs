/**
 * Removes the containers of a folder, and the folder, when standard input closes. That is when its starter closes
 * it or has ended, also when the starter was killed.
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
