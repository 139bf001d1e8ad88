import type { AuditFault, StoreHealth } from '../shapes.js';
import { Remedy } from './command.js';
import { StreamLink } from './links.js';
import { Table } from './table.js';

type Props = {
  readonly faults: readonly AuditFault[];
  readonly count: number;
  readonly broken: StoreHealth['brokenStreams'];
  readonly brokenCount: number;
};

const Place = ({ fault: { stream, revision, range } }: { readonly fault: AuditFault }) => {
  if (stream !== undefined)
    return (
      <>
        <StreamLink stream={stream} />
        {revision !== undefined && ` event ${revision}`}
      </>
    );
  return <>{range === undefined ? '–' : `events ${range.from} to ${range.to} of the log`}</>;
};

/** What audits have found, and the streams that cannot be read. */
export const Faults = ({ faults, count, broken, brokenCount }: Props) => (
  <>
    {faults.length > 0 && (
      <Table
        caption={`Faults${count > faults.length ? `, the first ${faults.length} of ${count}` : ''}`}
        rows={faults}
        keyOf={(_, index) => String(index)}
        columns={[
          { head: 'Kind', isHead: true, cell: ({ kind }) => <span class="nowrap">{kind}</span> },
          { head: 'Place', cell: (fault) => <Place fault={fault} /> },
          { head: 'What is wrong', cell: ({ reason }) => reason },
          { head: 'What to do', cell: ({ remedy }) => <Remedy text={remedy} /> },
        ]}
      />
    )}
    {broken.length > 0 && (
      <Table
        caption={`Broken streams${brokenCount > broken.length ? `, the first ${broken.length} of ${brokenCount}` : ''}: requests for these resources are answered with 503`}
        rows={broken}
        keyOf={({ stream }) => stream}
        columns={[
          { head: 'Stream', isHead: true, cell: ({ stream }) => <StreamLink stream={stream} /> },
          { head: 'First broken event', isNumber: true, cell: ({ revision }) => revision },
          { head: 'Kind', cell: ({ kind }) => kind },
          { head: 'What is wrong', cell: ({ reason }) => reason },
        ]}
      />
    )}
  </>
);
