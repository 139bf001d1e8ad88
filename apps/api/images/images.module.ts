import { Module } from '@nestjs/common';
import { ImagesController } from './images.controller.js';

/** Serves the images of pets. */
@Module({ controllers: [ImagesController] })
export class ImagesModule {}
