import { IsIn, IsInt, IsString } from 'class-validator';
import { IMAGE_TYPES } from '../../../libs/domain/pets/pet-image.js';
import { IMAGE_WIDTHS, type ImageWidth } from '../../../libs/application/pets/pet.queries.js';
import type { UploadResult } from '../../../libs/application/pets/pet.commands.js';
import type { NamedSchema } from '../http/validation/schemas.js';
import { Described, Documented, Optional, Schema } from '../http/validation/rules.js';

/** The schema of an upload, only for the OpenAPI document. No DTO class validates an upload: image-uploads.ts parses the body. */
export const IMAGE_UPLOAD: NamedSchema = {
  name: 'ImageUpload',
  schema: {
    description: 'An image of a pet, and a text about the image',
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: {
      file: {
        type: 'string',
        format: 'binary',
        description: 'A JPEG, PNG or WebP image of at most 5 MiB (5,242,880 bytes) and 40 million pixels',
      },
      additionalMetadata: { type: 'string', maxLength: 2_000, description: 'A text about the image, which is stored with the image' },
    },
  },
};

/** The result of an upload. */
@Documented('The result of an upload')
export class ApiResponse {
  @IsInt()
  @Described('The status of the response', 201)
  readonly code!: number;

  @IsString()
  @IsIn(IMAGE_TYPES)
  @Described('The media type of the stored image', 'image/jpeg')
  readonly type!: string;

  @IsString()
  @Described('What was stored', 'Stored an image of 1600 × 1200 pixels, 240000 bytes.')
  readonly message!: string;
}

/** Returns the response to an upload. */
export const uploadResult = (code: 200 | 201, { mediaType, width, height, bytes }: UploadResult): ApiResponse => ({
  code,
  type: mediaType,
  message: `Stored an image of ${width} × ${height} pixels, ${bytes} bytes.`,
});

/** The query of an image. */
@Documented('The requested size')
export class ImageQuery {
  @Optional()
  @IsInt()
  @IsIn(IMAGE_WIDTHS)
  @Schema({ description: 'The requested width in pixels. A narrower image keeps its own width', examples: [320] })
  readonly width?: ImageWidth;
}
