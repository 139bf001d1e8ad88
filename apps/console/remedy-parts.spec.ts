import { describe, expect, it } from '@jest/globals';
import { remedyParts } from './remedy-parts.js';

/** Draws commands in brackets. */
const drawn = (text: string): string =>
  remedyParts(text)
    .map((part) => (part.isCommand ? `[${part.text}]` : part.text))
    .join('');

describe('the commands in what helps', () => {
  it.each([
    ['wait until the gateway answers', 'wait until the gateway answers'],
    ['petstore projections status', '[petstore projections status]'],
    ['install a release, then: petstore retry pets pet-1 --trial', 'install a release, then: [petstore retry pets pet-1 --trial]'],
    ['read its log and petstore history order-1', 'read its log and [petstore history order-1]'],
    ['petstore switch a, or petstore drop a', '[petstore switch a], or [petstore drop a]'],
    ['Keep the log (petstore backup --as-evidence) and restore.', 'Keep the log ([petstore backup --as-evidence]) and restore.'],
    ['run "petstore audit verify".', 'run "[petstore audit verify]".'],
    ['Run petstore doctor. It changes nothing', 'Run [petstore doctor]. It changes nothing'],
    ['', ''],
  ])('%s', (text, parts) => expect(drawn(text)).toBe(parts));
});
