import { join } from 'node:path';

/**
 * Who may import whom: six floors, arrows only downward. It is an allow-list: each entry lets some files import some
 * others, and an import that no entry allows is a violation. test/architecture plants a violation of each, so that none
 * is green because it never ran.
 */
const EVENTSOURCING = '^libs/eventsourcing/(?!testing/)';
const TESTING = '^libs/eventsourcing/testing/';
const PORTS = '^libs/ports/';
const SPEC = '\\.spec\\.ts$';
/** Specs, and the samples they share. */
const TEST_CODE = '\\.(spec|fixtures)\\.ts$';
const ADAPTER_INDEX = '^libs/adapters/[^/]+/index\\.ts$';
const LIBS_BUT_ADAPTERS = '^libs/(?!adapters/|eventsourcing/testing/)';
const BELOW_DELIVERIES = '^libs/(?:runtime|contracts|domain|projections|ports|eventsourcing(?!/testing/))/';
const BELOW_APPLICATION = '^libs/(?:deliveries|processes|runtime|contracts|domain|projections|ports|eventsourcing(?!/testing/))/';
/** What every aggregate may know: ids, payment terms, money. The catalogue of all events is no such thing. */
const DOMAIN_COMMONS = '^libs/domain/(?!events\\.ts$)[^/]+\\.ts$';

const npm = (name) => `(^|/)node_modules/${name}/`;
const node = (...names) => `^(node:)?(${names.join('|')})$`;
const ANY_NPM = '(^|/)node_modules/';
const ANY_NODE = node('[a-z0-9_/]+');
const TEST_TOOLS = [TESTING, npm('@jest/globals'), npm('fast-check')];

/** Each adapter's own set: a new technology begins with its line here. */
const ADAPTERS = {
  sqlite: [npm('lru-cache'), node('sqlite', 'fs', 'fs/promises', 'path', 'worker_threads', 'crypto', 'os', 'v8', 'zlib')],
  eventstoredb: [npm('@eventstore/db-client'), node('crypto', 'events', 'fs')],
  kafka: [npm('kafkajs'), npm('cloudevents'), node('crypto')],
  mongodb: [npm('mongodb'), node('crypto', 'stream', 'stream/promises')],
  egress: [node('dns/promises', 'http', 'net', 'stream', 'tls')],
  gateway: [node('sqlite', 'crypto', 'fs', 'path')],
  signing: [npm('standardwebhooks')],
  system: [node('crypto')],
  tokens: [npm('jose'), npm('lru-cache'), node('crypto')],
};

const allow = (from, ...to) => ({ from: { path: from }, to: { path: to } });

const LIBS = [
  // "eventsourcing: nothing (no npm package, no node:*; testing/ may use jest's globals)."
  allow('^libs/eventsourcing/', EVENTSOURCING),
  allow(TESTING, TESTING, npm('@jest/globals')),
  // "domain: eventsourcing, never another aggregate's folder."
  allow('^libs/domain/', EVENTSOURCING, DOMAIN_COMMONS),
  allow('^libs/domain/([^/]+)/', '^libs/domain/$1/'),
  allow('^libs/domain/events\\.ts$', '^libs/domain/'),
  // "processes, projections, contracts: domain, eventsourcing, never each other."
  allow('^libs/(processes|projections|contracts)/', EVENTSOURCING, '^libs/domain/', '^libs/$1/'),
  // "runtime: eventsourcing, node:crypto."
  allow('^libs/runtime/', EVENTSOURCING, '^libs/runtime/', node('crypto')),
  // "deliveries: runtime, contracts, domain, eventsourcing, ports", and the read model that says where endpoints are.
  allow('^libs/deliveries/', BELOW_DELIVERIES, '^libs/deliveries/', node('crypto')),
  // "application: all of those, Nest's cqrs and common, node:crypto."
  allow('^libs/application/', BELOW_APPLICATION, '^libs/application/', npm('@nestjs/(cqrs|common)'), node('crypto')),
  // "settings … imports nothing."
  allow('^libs/settings/', '^libs/settings/'),
  // "ports: nothing": no entry lets one import anything.
  // "adapters/X: eventsourcing, ports and its own listed set"; "one folder per technology; none knows another."
  allow(`^libs/adapters/(${Object.keys(ADAPTERS).join('|')})/`, EVENTSOURCING, PORTS, '^libs/adapters/$1/'),
  ...Object.entries(ADAPTERS).map(([name, own]) => allow(`^libs/adapters/${name}/`, ...own)),
];

const APPS = [
  // "apps: all libs; only the composition files of apps/petstore import adapters", each by its one index.
  allow('^apps/([^/]+)/', '^apps/$1/', LIBS_BUT_ADAPTERS, ANY_NPM, ANY_NODE),
  allow('^apps/petstore/(main\\.ts$|composition/)', ADAPTER_INDEX),
  // "No app imports another, but apps/petstore composes api and worker."
  allow('^apps/petstore/', '^apps/(api|worker)/'),
];

const TESTS = [
  allow(TEST_CODE, ...TEST_TOOLS),
  // What holds for every decider is said beside them all.
  allow('^libs/domain/[^/]+\\.spec\\.ts$', '^libs/domain/'),
  // Specs of adapters make folders and processes to see what is left of them.
  allow(`^libs/adapters/.*${SPEC}`, ANY_NODE),
  allow('^test/', '^(apps|libs|test)/', ANY_NPM, ANY_NODE),
];

const FORBIDDEN = [
  { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
  { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  { name: 'no-import-of-a-spec', severity: 'error', from: {}, to: { path: SPEC } },
  { name: 'no-fixtures-in-the-product', severity: 'error', from: { path: '^(apps|libs)/', pathNot: TEST_CODE }, to: { path: TEST_CODE } },
  {
    name: 'no-undeclared-package',
    severity: 'error',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-bundled', 'deprecated'] },
  },
  {
    name: 'no-development-package-in-the-product',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: [TEST_CODE, TESTING] },
    to: { dependencyTypes: ['npm-dev'] },
  },
];

/** An example is on the other side of the interface: it knows nothing of the store but what goes over the line. */
const EXAMPLES = [allow('^examples/', npm('standardwebhooks'), ANY_NODE)];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: FORBIDDEN,
  allowed: [...LIBS, ...APPS, ...TESTS, ...EXAMPLES],
  allowedSeverity: 'error',
  options: {
    // Type-only imports are arrows too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(import.meta.dirname, 'tsconfig.json') },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/architecture/planted/' },
  },
};
