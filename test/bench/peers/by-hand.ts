import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { MongoClient, type Collection, type Filter } from 'mongodb';
import { CreatePetBody, ListPetsQuery, SearchBody } from './by-hand.dto.js';

/**
 * A CRUD service written by hand with NestJS and MongoDB, with which the benchmarks compare the petstore service. It validates
 * with class-validator, has an index for each query, and counts the total of each list. It responds to a creation after a
 * majority of the replica set has journaled it. It has no events, audit, tokens, tenants, rate limit, entity tags, idempotency
 * or messages.
 */
type Pet = Omit<CreatePetBody, 'status'> & {
  readonly _id: string;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The price as a number, by which searches sort. */
  readonly priceMinor?: number;
};

const PETS = Symbol('pets');
const LIMIT = 20;

const toBody = ({ _id, priceMinor: _price, ...fields }: Pet): object => ({ id: _id, ...fields });

const filterOf = ({ species, status = 'AVAILABLE', size, ageMin, ageMax, goodWithKids }: ListPetsQuery): Filter<Pet> => ({
  status,
  ...(species && { species }),
  ...(size && { size }),
  ...((ageMin !== undefined || ageMax !== undefined) && {
    ageMonths: { ...(ageMin !== undefined && { $gte: ageMin }), ...(ageMax !== undefined && { $lte: ageMax }) },
  }),
  ...(goodWithKids && { goodWithKids: goodWithKids === 'true' }),
});

const searchFilterOf = ({ criteria = {} }: SearchBody): Filter<Pet> => {
  const { species = [], size = [], ageRange = {}, compatibility = {}, medical = {} } = criteria;
  const { min, max } = ageRange;
  const flags = Object.entries(medical).map(([name, value]) => [`medicalInfo.${name}`, value] as const);
  return {
    status: 'AVAILABLE',
    ...(species.length > 0 && { species: { $in: [...species] } }),
    ...(size.length > 0 && { size: { $in: [...size] } }),
    ...((min !== undefined || max !== undefined) && {
      ageMonths: { ...(min !== undefined && { $gte: min }), ...(max !== undefined && { $lte: max }) },
    }),
    ...(compatibility.goodWithKids !== undefined && { goodWithKids: compatibility.goodWithKids }),
    ...Object.fromEntries(flags.filter(([, value]) => value !== undefined)),
  };
};

const searchSortOf = ({ sort }: SearchBody): Record<string, 1 | -1> => {
  if (!sort) return { createdAt: -1, _id: -1 };
  const direction = sort.order === 'DESC' ? -1 : 1;
  return { [sort.field === 'price' ? 'priceMinor' : 'ageMonths']: direction, _id: -1 };
};

// The ValidationPipe needs the types of the parameters. emitDecoratorMetadata is off, so `Reflect.metadata` sets them.
@Controller('v1/pets')
class PetsController {
  constructor(@Inject(PETS) private readonly pets: Collection<Pet>) {}

  @Get(':id')
  @Reflect.metadata('design:paramtypes', [String])
  async one(@Param('id', ParseUUIDPipe) id: string): Promise<object> {
    const pet = await this.pets.findOne({ _id: id });
    if (!pet) throw new NotFoundException();
    return toBody(pet);
  }

  @Get()
  @Reflect.metadata('design:paramtypes', [ListPetsQuery])
  async list(@Query() query: ListPetsQuery): Promise<object> {
    const { page = 1, limit = LIMIT } = query;
    const filter = filterOf(query);
    const found = this.pets
      .find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * limit)
      .limit(limit)
      .toArray();
    const [pets, totalItems] = await Promise.all([found, this.pets.countDocuments(filter)]);
    return { data: pets.map(toBody), pagination: { page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) } };
  }

  @Post('search')
  @HttpCode(200)
  @Reflect.metadata('design:paramtypes', [SearchBody])
  async search(@Body() body: SearchBody): Promise<object> {
    const filter = searchFilterOf(body);
    const found = this.pets.find(filter).sort(searchSortOf(body)).limit(LIMIT).toArray();
    const [pets, totalItems] = await Promise.all([found, this.pets.countDocuments(filter)]);
    return { data: pets.map(toBody), pagination: { page: 1, limit: LIMIT, totalItems, totalPages: Math.ceil(totalItems / LIMIT) } };
  }

  @Post()
  @Reflect.metadata('design:paramtypes', [CreatePetBody])
  async create(@Body() body: CreatePetBody): Promise<object> {
    const now = new Date().toISOString();
    const pet: Pet = { ...body, _id: randomUUID(), status: body.status ?? 'AVAILABLE', createdAt: now, updatedAt: now };
    await this.pets.insertOne(pet);
    return toBody(pet);
  }
}

const INDEXES = [
  { createdAt: -1, _id: -1 },
  { status: 1, createdAt: -1, _id: -1 },
  { status: 1, species: 1, createdAt: -1, _id: -1 },
  { status: 1, species: 1, size: 1, createdAt: -1, _id: -1 },
  { status: 1, priceMinor: 1, _id: -1 },
  { status: 1, ageMonths: 1, _id: -1 },
] as const;

const client = await new MongoClient(process.env['MONGODB_URL'] ?? '', { writeConcern: { w: 'majority', journal: true } }).connect();
const pets = client.db('by_hand').collection<Pet>('pets');
for (const index of INDEXES) await pets.createIndex(index);

@Module({ controllers: [PetsController], providers: [{ provide: PETS, useValue: pets }] })
class ByHandModule {}

const app = await NestFactory.create<NestFastifyApplication>(ByHandModule, new FastifyAdapter(), { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.once('SIGTERM', () => void client.close());
process.stdout.write(`${await app.getUrl()}\n`);
