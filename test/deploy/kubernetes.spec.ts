import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { KUBERNETES, manifestFiles, readKustomization, readManifests } from './deploy-files.js';
import { kubernetesSchemas } from './kubernetes-schemas.js';

/** The oldest Kubernetes version that has every field of the manifests, and the newest version with schemas. */
const VERSIONS = ['1.30', '1.37'];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const files = manifestFiles().map((file) => join(KUBERNETES, file));
const manifests = readManifests();

type Probe = { readonly httpGet: { readonly path: string; readonly port: string } };
type Labels = Readonly<Record<string, string>>;
type DeploymentSpec = {
  readonly replicas?: number;
  readonly template: {
    readonly metadata: { readonly labels: Labels };
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
      readonly containers: readonly {
        readonly args: readonly string[];
        readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
        readonly startupProbe: Probe;
        readonly livenessProbe: Probe;
        readonly readinessProbe: Probe;
        readonly resources: object;
      }[];
    };
  };
};
type Scaling = { readonly scaleTargetRef: { readonly name: string }; readonly minReplicas: number };
type Disruptions = { readonly selector: { readonly matchLabels: Labels }; readonly maxUnavailable: number };

const specsOf = <T>(wanted: string): ReadonlyMap<string, T> =>
  new Map(manifests.filter(({ kind }) => kind === wanted).map(({ metadata, spec }) => [metadata.name, spec as T]));

const deployments = [...specsOf<DeploymentSpec>('Deployment')].map(([name, spec]) => ({ name, spec, pod: spec.template.spec }));
const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};

describe('the manifests', () => {
  it('are all listed in kustomization.yaml except the example of a Secret, and use the image of this version', () => {
    const { resources, images } = readKustomization();
    expect([...resources, 'secrets.example.yaml'].sort()).toEqual([...manifestFiles()].sort());
    expect(images.map(({ newTag }) => newTag)).toEqual([version]);
  });

  it('run at least two pods of the API and of each worker', () => {
    expect(deployments.map(({ name }) => name)).toEqual(['api', 'log-worker', 'message-worker']);
    const scaled = new Map(
      [...specsOf<Scaling>('HorizontalPodAutoscaler').values()].map((spec) => [spec.scaleTargetRef.name, spec.minReplicas]),
    );
    for (const { name, spec } of deployments) {
      expect([name, spec.replicas ?? scaled.get(name)]).toEqual([name, 2]);
      // A Deployment with an autoscaler must not set `replicas`. If it did, every release would reset its number of pods.
      expect(spec.replicas === undefined).toBe(scaled.has(name));
    }
  });

  it('allow the eviction of one pod of each deployment at a time', () => {
    const budgets = specsOf<Disruptions>('PodDisruptionBudget');
    for (const { name, spec } of deployments) {
      expect(spec.template.metadata.labels).toMatchObject(budgets.get(name)?.selector.matchLabels ?? { name });
      expect(budgets.get(name)?.maxUnavailable).toBe(1);
    }
  });

  it('spread the pods over nodes and zones', () => {
    for (const { pod } of deployments)
      expect(pod.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'kubernetes.io/hostname',
        'topology.kubernetes.io/zone',
      ]);
  });

  it('limit the rights of pods', () => {
    for (const { pod } of deployments) {
      expect(pod).toMatchObject({
        serviceAccountName: 'petstore',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          { securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } } },
        ],
      });
    }
    expect(manifests.find(({ kind }) => kind === 'ServiceAccount')?.automountServiceAccountToken).toBe(false);
  });

  it('set the CPU and memory requests and the memory limit of pods', () => {
    for (const { name, pod } of deployments) {
      // The API processes images, which needs more memory.
      const memory = name === 'api' ? '1280Mi' : '512Mi';
      expect(pod.containers.map(({ resources }) => resources)).toEqual([
        { requests: { cpu: expect.any(String), memory }, limits: { memory } },
      ]);
    }
  });

  it('send the health probes of each process to its port', () => {
    for (const { pod } of deployments)
      for (const { args, ports, startupProbe, livenessProbe, readinessProbe } of pod.containers) {
        const [port] = ports;
        expect(port?.containerPort).toBe(Number(settings[args[0] === 'api' ? 'PORT' : 'WORKER_PORT']));
        expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual(
          ['live', 'live', 'ready'].map((kind) => ({ path: `/health/${kind}`, port: port?.name })),
        );
      }
  });

  it('let only the namespace of Prometheus reach the port of the metrics', () => {
    for (const { pod } of deployments)
      for (const { ports } of pod.containers)
        expect(ports.find(({ name }) => name === 'metrics')?.containerPort).toBe(Number(settings['METRICS_PORT']));
    const ingress = [...specsOf<{ ingress?: { ports: { port: string }[] }[] }>('NetworkPolicy').values()].flatMap(
      ({ ingress = [] }) => ingress,
    );
    expect(ingress.filter(({ ports }) => ports.some(({ port }) => port === 'metrics'))).toEqual([
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        ports: [{ protocol: 'TCP', port: 'metrics' }],
      },
    ]);
  });

  it('deny all connections that they do not explicitly allow', () => {
    const policies = specsOf<{ egress?: { ports: { port: number }[] }[]; podSelector: object }>('NetworkPolicy');
    expect(policies.get('nothing-by-default')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const reached = [...policies.values()].flatMap(({ egress = [] }) => egress.flatMap(({ ports }) => ports.map(({ port }) => port)));
    expect(reached).toEqual([2113, 27017, 9093, 53, 53, 80, 443, 1024]);
  });
});

const schemas = await kubernetesSchemas();
describeIfAvailable('the manifests, validated with the Kubernetes schemas', schemas, ({ violations }) =>
  describe('the manifests, validated with the Kubernetes schemas', () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-manifests-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    it.each(VERSIONS)('are valid in Kubernetes %s', async (kubernetes) => {
      expect(await violations(kubernetes, files)).toEqual([]);
    });

    it.each([
      ['a misspelt field', 'readinessProbe:', 'readynessProbe:'],
      ['a value of the wrong type', 'failureThreshold: 60', 'failureThreshold: sixty'],
    ])('are invalid with %s', async (_, right, wrong) => {
      const text = readFileSync(join(KUBERNETES, 'api.yaml'), 'utf8');
      expect(text).toContain(right);
      writeFileSync(join(folder, 'api.yaml'), text.replace(right, wrong));
      expect(await violations(VERSIONS[0] ?? '', [join(folder, 'api.yaml')])).toEqual([expect.stringContaining('did not validate')]);
    });
  }),
);
