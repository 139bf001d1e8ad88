import { Module } from '@nestjs/common';
import { AsyncapiController } from './asyncapi/asyncapi.controller.js';
import { OpenapiController } from './openapi/openapi.controller.js';
import { ConsoleController } from './pages/console/console.controller.js';
import { ErrorPagesController } from './pages/errors/error-pages.controller.js';
import { EventsPageController } from './pages/events/events.controller.js';
import { GuidesController } from './pages/guides/guides.controller.js';
import { LandingController } from './pages/landing/landing.controller.js';
import { ReferenceController } from './pages/reference/reference.controller.js';

/** Serves the OpenAPI and AsyncAPI documents, and the pages for people. */
@Module({
  controllers: [
    AsyncapiController,
    OpenapiController,
    LandingController,
    EventsPageController,
    GuidesController,
    ReferenceController,
    ConsoleController,
    ErrorPagesController,
  ],
})
export class DescribeModule {}
