import { describe, expect, it } from '@jest/globals';
import type { ImageId } from '../domain/ids.js';
import { imagesOf, photoReference, publicPhotos, withLinks, withoutImage } from './photo-references.js';

const petId = '01a0e5b0-0000-7000-8000-000000000001';
const image = (last: number) =>
  ({ imageId: `01a0e5b0-0000-7000-8000-00000000000${last}` as ImageId, mediaType: 'image/webp', digest: 'aB_-9' }) as const;
const reference = (last: number): string => photoReference(petId, image(last));
const url = (last: number, publicUrl = 'https://pets.test'): string => `${publicUrl}/v1/pets/${petId}/images/${image(last).imageId}`;
const link = 'https://example.com/a.jpg';

/** Proves contract 37.4. */
describe('the photos of a stored pet', () => {
  it('contain the id, media type and digest of each image', () => {
    expect(imagesOf([link, reference(2), reference(3)])).toEqual([image(2), image(3)]);
    expect([imagesOf([]), imagesOf()]).toEqual([[], []]);
  });

  it('keep their images when the links change', () => {
    expect(withLinks([link], [reference(2), 'https://example.com/old.jpg', reference(3)])).toEqual([link, reference(2), reference(3)]);
    expect(withLinks(undefined, [reference(2)])).toEqual([reference(2)]);
    expect([withLinks(undefined), withLinks([]), withLinks(undefined, [link])]).toEqual([undefined, [], undefined]);
  });

  it('keep the other photos when one image is removed', () => {
    expect(withoutImage([link, reference(2), reference(3)], image(2).imageId)).toEqual([link, reference(3)]);
    expect(withoutImage([reference(2)], image(2).imageId)).toBeUndefined();
  });
});

/** Proves contract 37.4 and contract 1.5. */
describe('the photos of a pet in a response', () => {
  const publish = (photos: readonly string[], publicUrl?: string): unknown =>
    (JSON.parse(publicPhotos(JSON.stringify({ photos }), publicUrl ?? 'https://pets.test')) as { photos: unknown }).photos;

  it('have the URLs of the images', () => expect(publish([link, reference(2), reference(3)])).toEqual([link, url(2), url(3)]));
  it('begin with the exact text of PUBLIC_URL', () =>
    expect(publish([reference(2)], 'https://pets.test/$&$1')).toEqual([url(2, 'https://pets.test/$&$1')]));
  it('are the only text that changes', () => {
    const texts = [`"${reference(2)}"`, `,"${reference(2)}"`, `["${reference(2)}"`, `\\"${reference(2)}`, `x${reference(2)}`];
    const json = JSON.stringify({ description: texts.join(), photos: texts.map((text) => text), name: reference(2) });
    expect(publicPhotos(json, 'https://pets.test')).toBe(json);
  });
});
