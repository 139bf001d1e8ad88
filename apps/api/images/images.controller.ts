import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RemovePetPhoto, UploadPetPhoto } from '../../../libs/application/pets/pet.commands.js';
import { GetPetImage } from '../../../libs/application/pets/pet.queries.js';
import { IMAGE_TYPES } from '../../../libs/domain/pets/pet-image.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { imagePath } from '../../../libs/projections/photo-references.js';
import { acceptsType } from '../http/accept.js';
import { PUBLIC, withScope } from '../http/admission/access.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { sendCreated, sendNoContent } from '../http/responses.js';
import type { UploadBody } from '../http/bodies/image-uploads.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { ApiResponse, IMAGE_UPLOAD, ImageQuery, uploadResult } from './image.dto.js';
import { sendImage } from './send-image.js';

const NO_IMAGE = 'This pet has no image with this id.';

@Controller()
export class ImagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'uploadPetPhoto',
    method: 'POST',
    path: '/v1/pets/{id}/images',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Upload a photo of a pet',
    description:
      'For staff. The service detects the type of the file from its content. ' +
      'It applies the orientation, and then removes all metadata, such as the location where the photo was taken. ' +
      'The photo becomes the last of the photos of the pet.',
    upload: IMAGE_UPLOAD,
    idempotent: true,
    success: {
      status: 201,
      description: 'The image is stored',
      schema: ApiResponse,
      example: { code: 201, type: 'image/jpeg', message: 'Stored an image of 1600 × 1200 pixels, 240000 bytes.' },
    },
    problems: ['pet_not_found', 'not_an_image', 'broken_image', 'too_many_pixels', 'too_many_photos'],
  })
  async upload({ call }: OperationRequest<{ body: UploadBody }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new UploadPetPhoto(call.id, call.body, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    const { imageId, digest: etag, replayed } = outcome;
    const json = JSON.stringify(uploadResult(201, outcome));
    sendCreated(reply, { id: imageId, json, etag, replayed, fields: {} }, this.address.url + imagePath(call.id, imageId));
  }

  @Operation({
    id: 'getPetImage',
    method: 'GET',
    path: '/v1/pets/{id}/images/{imageId}',
    access: PUBLIC,
    tag: 'Pets',
    summary: 'Read an image of a pet',
    description:
      'Returns WebP if the header Accept names image/webp. Otherwise, returns the type in which the image is stored. ' +
      'An HTML img element cannot send X-Tenant-ID. Without this header and without a token of a tenant, the image is found ' +
      'whichever tenant it belongs to. This is safe, because nobody can guess the id of an image.',
    query: queryShapeOf(ImageQuery),
    // A width that is not offered is a 400 instead of a 422 (contract 37.5).
    validationProblem: 'invalid-request',
    success: { status: 200, description: 'The image', binary: IMAGE_TYPES },
    problems: [{ notFound: NO_IMAGE }],
  })
  async get(
    { call, headers: { accept, 'x-tenant-id': tenantHeader } }: OperationRequest<{ query: ImageQuery }>,
    reply: FastifyReply,
  ): Promise<void> {
    // An img element cannot send X-Tenant-ID. So a request that names no tenant finds the image in any tenant (contract 37.6).
    const isOfAnyTenant = tenantHeader === undefined && call.caller?.tenant === undefined;
    const { width = null } = call.query;
    const tenant = isOfAnyTenant ? null : call.tenant;
    const image = await this.queries.execute(new GetPetImage(call.id, call.secondId, tenant, width, acceptsType(accept, 'image/webp')));
    if (!image) throw new Problem('not-found', NO_IMAGE);
    sendImage(reply, image);
  }

  @Operation({
    id: 'deletePetImage',
    method: 'DELETE',
    path: '/v1/pets/{id}/images/{imageId}',
    access: withScope('write:pets'),
    tag: 'Pets',
    summary: 'Delete an image of a pet',
    description: 'For staff. Removes the image from the photos of the pet, and deletes the bytes and the metadata of the image.',
    success: { status: 204, description: 'The image is deleted' },
    problems: ['pet_not_found', 'image_not_found'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const rejection = await this.commands.execute(new RemovePetPhoto(call.id, call.secondId, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendNoContent(reply);
  }
}
