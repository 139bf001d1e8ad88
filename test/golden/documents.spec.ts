import { describe, expect, it } from '@jest/globals';
import { projections } from '../../libs/projections/projections.js';
import { documentsChange, documentsFile } from './golden-documents.js';
import { assertAccepted, unexpectedFiles } from './golden-files.js';

/** Proves contract 24.3: documents of one version of a read model have one shape. */
describe('the documents of read models', () => {
  it.each(projections.map((projection) => [projection.name, projection] as const))('of %s are those of its version', (_, projection) => {
    assertAccepted(documentsChange(projection));
  });

  it('have no golden file without a projection', () => {
    expect(
      unexpectedFiles(
        'documents',
        projections.map((projection) => documentsFile(projection).replace('documents/', '')),
      ),
    ).toEqual([]);
  });
});
