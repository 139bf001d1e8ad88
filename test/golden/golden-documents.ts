import { handlerOf, type Projection } from '../../libs/eventsourcing/projection.js';
import { foldProjection } from '../../libs/eventsourcing/testing/fold-projection.js';
import { projections } from '../../libs/projections/projections.js';
import { paymentId, samples } from './events.samples.js';
import { compareMembers, goldenText, readGolden, type GoldenChange } from './golden-files.js';

/** The content of a golden file: the document after each event type, as JSON. */
type GoldenDocuments = { readonly version: number; readonly documents: Readonly<Record<string, unknown>> };

/** Returns the document after each event that a projection handles, as if it followed the first event of a stream. */
const documentsOf = (projection: Projection): GoldenDocuments => {
  const types = Object.keys(samples).filter((type) => type in projection.on && handlerOf(projection, { type, meta: {} }) !== 'ignore');
  const [first = ''] = types;
  const eventOf = (type: string) => ({ type, data: samples[type as keyof typeof samples].complete });
  const documentAfter = (type: string) => {
    const events = type === first ? [eventOf(first)] : [eventOf(first), eventOf(type)];
    return foldProjection(projection, events, `${projection.category}-${paymentId}`);
  };
  return { version: projection.version, documents: Object.fromEntries(types.map((type) => [type, documentAfter(type)])) };
};

export const documentsFile = ({ name }: Projection): string => `documents/${name}.json`;

/**
 * Compares the documents of a projection with their golden file. A change of a document needs a higher version of the projection, because
 * stored documents have the former shape. A new type of event needs none, because no stored event has it.
 */
export const documentsChange = (projection: Projection): GoldenChange | null => {
  const [file, current] = [documentsFile(projection), documentsOf(projection)];
  const golden = readGolden(file) as GoldenDocuments | undefined;
  const text = goldenText(current);
  if (!golden) return { file, breaks: [], additions: ['the file'], text };
  if (golden.version !== current.version)
    return { file, breaks: [], additions: [`version ${current.version} of ${projection.name}`], text };
  const { added, changed } = compareMembers(golden.documents, (JSON.parse(text) as GoldenDocuments).documents);
  if (added.length + changed.length === 0) return null;
  const isNewType = (path: string): boolean => !path.includes('.');
  const breaks = [...changed, ...added.filter((path) => !isNewType(path))].map(
    (path) => `${path} is new, has changed or is gone. Stored documents have the former shape: raise the version of ${projection.name}.`,
  );
  return { file, breaks, additions: added, text };
};

/** Returns the changes of the documents of all projections. */
export const documentChanges = (): readonly GoldenChange[] => projections.flatMap((projection) => documentsChange(projection) ?? []);
