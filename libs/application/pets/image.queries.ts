import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { blobOf, type ImageType } from '../../domain/pets/pet-image.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Blobs, OpenBlob } from '../../ports/blobs.port.js';
import type { ImageProcessor } from '../../ports/image-processor.port.js';
import type { Pet } from '../../projections/pets.projection.js';
import { imagesOf } from '../../projections/photo-references.js';
import { PETS } from '../aggregates.js';
import { viewInTenant } from '../reading.js';
import type { ResultOf } from '../request.js';
import { BLOBS, DOCUMENTS, IMAGE_PROCESSOR } from '../tokens.js';

/** The widths in pixels in which an image is served, besides its own width (contract 37.5). */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

/** The content of an image, and the SHA-256 of its bytes. */
export type ImageContent = OpenBlob & { readonly mediaType: ImageType; readonly digest: string };

/** An image of a pet, or null. A null `tenant` permits every tenant. This is safe, because nobody can guess the image's id. */
export class GetPetImage extends Query<ImageContent | null> {
  constructor(
    readonly petId: string,
    readonly imageId: string,
    readonly tenant: string | null,
    /** The requested width in pixels, or null for the image's own width. */
    readonly width: ImageWidth | null,
    /** Whether the client accepts WebP in place of the image's own type. */
    readonly acceptsWebp: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetPetImage)
export class GetPetImageHandler implements IQueryHandler<GetPetImage> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(BLOBS) private readonly blobs: Blobs,
    @Inject(IMAGE_PROCESSOR) private readonly images: ImageProcessor,
  ) {}

  async execute({ petId, imageId, tenant, width, acceptsWebp }: GetPetImage): Promise<ResultOf<GetPetImage>> {
    const { collection } = PETS.projection;
    const found = await (tenant === null
      ? this.documents.get(collection, petId)
      : viewInTenant(this.documents, PETS.projection, petId, tenant));
    const image = found && imagesOf((JSON.parse(found.json) as Pet).photos).find((one) => one.imageId === imageId);
    const blob = image && (await this.blobs.open(blobOf(petId, image)));
    if (!image || !blob) return null;
    const mediaType = acceptsWebp ? 'image/webp' : image.mediaType;
    if (width === null && mediaType === image.mediaType) return { ...blob, mediaType, digest: image.digest };
    const { bytes, digest } = await this.images.rendition({ key: image.digest, width, mediaType }, () => readAll(blob));
    return { size: bytes.length, read: (from, to) => piece(bytes.subarray(from, to)), mediaType, digest };
  }
}

const readAll = async (blob: OpenBlob): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  for await (const bytes of blob.read()) pieces.push(bytes);
  return Buffer.concat(pieces);
};

async function* piece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The query handlers of images, for the module. */
export const IMAGE_QUERY_HANDLERS = [GetPetImageHandler];
