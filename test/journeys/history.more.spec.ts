import { afterEach, describe, expect, it } from '@jest/globals';
import type { AuditedChange, AuditedState } from '../../apps/api/audit/audit.dto.js';
import { createClient } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, STAFF_SCOPES, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';

const REJECTED = 2;
const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 12 };

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 35.15. */
describe('petstore history', () => {
  it('shows the history of a pet and its state at a time, whether the service runs or not', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir, STAFF_SCOPES);
    const client = createClient(service.url);
    const { id } = (await client.send('POST', '/v1/pets', { token, body: LUNA })).json as { id: string };
    await client.send('PUT', `/v1/pets/${id}`, { token, body: { ...LUNA, status: 'NOT_AVAILABLE' } });
    client.close();
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runPetstore(['history', ...args], { dataDir });
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    const online = await run(id);
    const [titles, listed, ...changes] = online.trimEnd().split('\n');
    expect(titles).toMatch(/^TIME +OF +REVISION +EVENT +ACTOR +REQUEST$/);
    expect(listed).toMatch(/^20\S+Z +pet +0 +PetListed +staff +\S+$/);
    expect(changes).toContain('    name: Luna');
    expect(changes).toContain('    status: AVAILABLE → NOT_AVAILABLE');
    const [first] = JSON.parse(await run(id, '--json')) as readonly AuditedChange[];
    await service.stop();
    expect(await run(`pet-${id}`)).toBe(online);
    const past = JSON.parse(await run(id, '--as-of', first?.time ?? '', '--json')) as AuditedState;
    expect([past.revision, past.state]).toMatchObject([0, { name: 'Luna', status: 'AVAILABLE' }]);
    expect(await run(id, '--as-of', first?.time ?? '')).toMatch(/^pet-\S+ after revision 0, recorded at \S+Z\nid +\S+\n/);
  });

  it('shows the history of an adoption application by its id', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir, STAFF_SCOPES);
    const client = createClient(service.url);
    const { id: petId } = (await client.send('POST', '/v1/pets', { token, body: LUNA })).json as { id: string };
    const body = { petId, applicant: { name: 'Ann Lee', email: 'ann@example.com' } };
    const { id } = (await client.send('POST', '/v1/adoptions', { body })).json as { id: string };
    await client.send('POST', `/v1/adoptions/${id}/approval`, { token });
    client.close();
    const { code, stdout, stderr } = await runPetstore(['history', id], { dataDir });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/adoption +0 +AdoptionSubmitted .*applicant\.name: "Ann Lee".*AdoptionApproved .*status: submitted → approved/s);
    const past = await runPetstore(['history', `adoption-${id}`, '--as-of', '0s', '--json'], { dataDir });
    expect((JSON.parse(past.stdout) as AuditedState).state).toMatchObject({ status: 'approved' });
    await service.stop();
  });

  it('says what is wrong with an id, a time and a resource that did not exist', async () => {
    const dataDir = newFolder();
    const unknown = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
    for (const [args, text] of [
      [['x'], 'x is not the id of a resource'],
      [[unknown], `has the id ${unknown}`],
      [[`order-${unknown}`], `has the id order-${unknown}`],
      [[unknown, '--as-of', 'yesterday'], '--as-of "yesterday" is not a time'],
    ] as const) {
      const { code, stdout, stderr } = await runPetstore(['history', ...args], { dataDir });
      expect([code, stdout, stderr.includes(text), stderr.trim().split('\n').length]).toEqual([REJECTED, '', true, 1]);
    }
  });
});
