import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fastify from 'fastify';

/**
 * The recorded responses that this server returns. The benchmarks compare the service with this server, which is Fastify
 * alone. It validates requests with Ajv as the service does, but has no database, events or durability. The benchmark has
 * recorded the responses of the service, so that both return the same bytes.
 */
type RecordedResponses = {
  /** The JSON text of each pet, by the pet's id. */
  readonly pets: Readonly<Record<string, string>>;
  /** The JSON text of each list, by its query string. */
  readonly lists: Readonly<Record<string, string>>;
  /** The JSON text that every POST /v1/pets returns. */
  readonly created: string;
};

const recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as RecordedResponses;
const SPECIES = ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER'];
const SIZES = ['SMALL', 'MEDIUM', 'LARGE'];
const JSON_TYPE = 'application/json; charset=utf-8';
const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

const boolean = { type: 'boolean' };
const text = (maxLength: number) => ({ type: 'string', maxLength });
const list = {
  type: 'object',
  additionalProperties: false,
  properties: {
    species: { enum: SPECIES },
    status: { enum: ['AVAILABLE', 'PENDING', 'ADOPTED'] },
    ageMin: { type: 'integer', minimum: 0 },
    ageMax: { type: 'integer', minimum: 0 },
    size: { enum: SIZES },
    goodWithKids: boolean,
    page: { type: 'integer', minimum: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
  },
};
const pet = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'species', 'ageMonths'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 50 },
    species: { enum: SPECIES },
    breed: text(100),
    ageMonths: { type: 'integer', minimum: 0, maximum: 1200 },
    size: { enum: SIZES },
    color: text(50),
    gender: { enum: ['MALE', 'FEMALE', 'UNKNOWN'] },
    goodWithKids: boolean,
    price: { type: 'string', pattern: '^\\d{1,10}\\.\\d{2}$' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    description: text(5000),
    status: { enum: ['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE'] },
    photos: { type: 'array', maxItems: 50, items: text(2000) },
    medicalInfo: {
      type: 'object',
      additionalProperties: false,
      properties: { spayedNeutered: boolean, vaccinated: boolean, microchipped: boolean, specialNeeds: boolean, healthNotes: text(5000) },
    },
  },
};

const app = fastify();
const ajv = { body: new Ajv(), querystring: new Ajv({ coerceTypes: true }), params: new Ajv(), headers: new Ajv() };
app.setValidatorCompiler(({ schema, httpPart }) => ajv[(httpPart ?? 'body') as keyof typeof ajv].compile(schema as object));

app.get<{ Params: { id: string } }>(
  '/v1/pets/:id',
  { schema: { params: { type: 'object', properties: { id: { type: 'string', pattern: UUID } } } } },
  (request, reply) => reply.header('content-type', JSON_TYPE).send(recorded.pets[request.params.id]),
);
app.get('/v1/pets', { schema: { querystring: list } }, (request, reply) =>
  reply.header('content-type', JSON_TYPE).send(recorded.lists[request.url.slice(request.url.indexOf('?') + 1)]),
);
app.post('/v1/pets', { schema: { body: pet } }, (_, reply) => reply.code(201).header('content-type', JSON_TYPE).send(recorded.created));

process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
