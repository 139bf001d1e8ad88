/** The parts of the benchmark, in the order of their runs. */
export const PART_NAMES = ['http', 'log', 'distributed', 'peers', 'sign-in', 'images', 'traces', 'changes', 'rebuild', 'searches'] as const;
export type PartName = (typeof PART_NAMES)[number];

export const HELP = `Usage: npm run bench [-- part ...]
       npm run bench -- compare CHECKOUT

Measures the numbers of docs/benchmarks.md and prints them beside their goals. Without a part, runs all ten (about 45 minutes).

Parts:
  http         requests per second, compared with a bare Fastify that serves the same bytes
  log          rebuild, audit and start time with a log of 1,000,000 events
  distributed  projections, relay and end-to-end latency with MongoDB, Kafka, and a server with EventStoreDB's protocol (starts them)
  peers        both profiles, compared with a hand-written CRUD service on NestJS and MongoDB (starts the servers)
  sign-in      p99 of other requests during sign-ins, and requests per second with and without a token
  images       p99 of other requests during uploads of images
  traces       requests per second with and without traces
  changes      time of a change of a resource after 10, 1,000 and 10,000 changes, on both profiles (starts the servers)
  rebuild      events per second of a rebuild from 60,000, 1,000,000 and 22,000 large pets, on a folder and into MongoDB (starts mongod)
  searches     searches by random criteria of 1,000,000 pets on a folder, and of 100,000 pets by all services (starts the servers)

compare measures this build and the one in another checkout in turn, on one folder each: reads, lists, creations and paid orders.
For the commit before: git worktree add ../before HEAD~1; then npm ci and npm run build there.

Options:
  -h, --help   display help

Exit codes: 0 measured, whether or not a goal was reached; 1 a part failed; 2 unknown part, or compare without a checkout.
`;

/** What to do: run parts, compare with the build in another checkout, or print a text and exit with a code. */
export type Plan =
  | { readonly kind: 'run'; readonly parts: readonly PartName[] }
  | { readonly kind: 'compare'; readonly checkout: string }
  | { readonly kind: 'exit'; readonly text: string; readonly code: 0 | 2 };

const isPart = (name: string): boolean => PART_NAMES.some((part) => part === name);

/** Parses the arguments of `npm run bench`. */
export const parseArguments = (args: readonly string[]): Plan => {
  if (args.includes('--help') || args.includes('-h')) return { kind: 'exit', text: HELP, code: 0 };
  if (args[0] === 'compare') {
    const [, checkout, ...rest] = args;
    if (checkout === undefined || rest.length > 0)
      return { kind: 'exit', text: 'compare needs one folder: the checkout of another commit, with its build.\n', code: 2 };
    return { kind: 'compare', checkout };
  }
  const unknown = args.filter((name) => !isPart(name));
  if (unknown.length > 0) {
    const text = `Unknown part: ${unknown.join(', ')}. The parts are ${PART_NAMES.join(', ')}; npm run bench -- --help explains them.\n`;
    return { kind: 'exit', text, code: 2 };
  }
  return { kind: 'run', parts: PART_NAMES.filter((part) => args.length === 0 || args.includes(part)) };
};
